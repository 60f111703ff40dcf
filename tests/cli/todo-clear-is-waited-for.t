#!/usr/bin/env bash
# The next task is typed when the worker's prompt is back after /clear, not while it still clears.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"

project '- [ ] T001: One' '- [ ] T002: Two'
# A worker whose prompt is known by what it shows.  What is typed while it clears is lost to it, as it is
# to programs that flush their input.
cat >"$T/bin/claude" <<'END'
#!/usr/bin/env bash
id='' turn=''
prompt() { printf '\033[2J\033[H bypass permissions on\n> '; }
prompt
while IFS= read -r line; do
	case $line in
	*/clear)
		printf '\033[2J\033[Hclearing'
		for i in {1..30}; do
			IFS= read -r -t 0.1 line && [ -n "$line" ] && echo "$line" >>"$T/early"
		done
		prompt
		;;
	'**Task ID:** '*) id=${line##* } ;;
	'1. Run `ralph done --turn '*) turn=${line#*--turn } turn=${turn%%\`*} ;;
	'## Working Directory')
		read -r _
		echo "$id" >>"$T/tasks"
		ralph done --turn "$turn"
		;;
	esac
done
END
chmod +x "$T/bin/claude"
run timeout 60 "$RALPH" todo --inactivity-timeout 5 --commit off -- claude
exit_is 0 "both are done"
is "$(xargs <"$T/tasks")" "T001 T002" "each was given once"
not_ok "nothing was typed while the worker cleared" test -e "$T/early"
no_leftovers "nothing goes on"
done_testing
