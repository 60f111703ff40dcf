#!/usr/bin/env bash
# An agent that removes or spoils what a person agreed to gets nothing agreed to by that.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
export marker=$T/marker trusted=$T/trusted records=$RALPH_HOME/trust
project '- [ ] T001: Plant and remove' '- [ ] T002: After'
cat >.git/hooks/commit-msg <<'END'
#!/bin/sh
echo commit-msg >>"$trusted"
END
chmod +x .git/hooks/commit-msg
worker <<'END'
plant() {
	printf '#!/bin/sh\necho hook >>"%s"\n' "$marker" >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	git config filter.evil.clean "sh -c 'echo filter >>$marker; cat'"
	git config filter.evil.smudge cat
}
case $TASK.$KIND in
T001.task) plant; rm -rf "${records:?}"; echo 1 >one; ralph done --summary one ;;
T003.task)
	rm -rf "${records:?}" .git/ralph-trust
	ralph trust --list
	echo 3 >three; ralph done --summary three ;;
T004.task)
	for f in "${records:?}"/*.json; do : >"$f"; done
	echo 4 >four; ralph done --summary four ;;
*.task) echo "$TASK" >"$TASK"; ralph done --summary more ;;
esac
END
# What is planted stays so: it is shown, and does not run.
planted() {
	run "$RALPH" trust --list
	exit_is 1 "$1: what was planted is not agreed to"
	like "$(tr '\n' ' ' <<<"$out")" 'git filter\.evil\.clean.*hook pre-commit' "$1: and is shown"
	not_ok "$1: it has not run" test -e "$marker"
}

todo --on-alert "cat >>$T/alerts"
exit_is 0 "an agent removes the records"
is "$(commits)" $'T002: more\nT001: one' "the work is committed"
like "$(cat "$T/alerts")" 'agreed to.*was removed.*written again' "that is an alert"
is "$(cat "$trusted")" $'commit-msg\ncommit-msg' "what was agreed to before counts"
planted "in the same loop"

list '- [ ] T003: The records and the witness'
todo --on-alert "cat >>$T/alerts.3"
exit_is 0 "another removes the witness, too, and has a new record made"
like "$(cat "$T/alerts.3")" 'was removed' "that is an alert"
is "$(wc -l <"$trusted")" 3 "what was agreed to before counts"
planted "with the witness"

list '- [ ] T004: An empty record'
todo --on-alert "cat >>$T/alerts.4"
exit_is 0 "another empties the records"
like "$(cat "$T/alerts.4")" 'was removed, damaged or replaced' "that is an alert"
is "$(wc -l <"$trusted")" 4 "what was agreed to before counts"
planted "with an empty record"

# Nobody lives who would know what it said.
rm -rf "${records:?}"
planted "removed between two loops"
like "$err" 'was removed.*nothing is agreed to' "which is said"
rm -rf "${records:?}"
list '- [ ] T005: After'
todo --on-alert "cat >>$T/alerts.5"
exit_is 0 "the next loop goes on"
like "$(cat "$T/alerts.5")" 'was removed.*nothing is agreed to.*ralph trust' "and says that nothing is agreed to"
is "$(wc -l <"$trusted")" 4 "not even what was"
planted "in the next loop"
list '- [ ] T006: After'
todo --on-alert "cat >>$T/alerts.6"
exit_is 0 "and so does one after it"
not_ok "which has no alert" test -s "$T/alerts.6"
planted "in a later one"
for f in "${records:?}"/*.json; do echo '{' >"$f"; done
planted "damaged between two loops"

run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
list '- [ ] T007: Agreed'
todo
exit_is 0 "a loop"
ok "then it counts" grep -q hook "$marker"
is "$(wc -l <"$trusted")" 5 "as what was there before does"

# A copy of the repository, and another home, are new; so is one at the same path, where the file system tells when it
# was made.
cp -r . "${T:?}/copy" && cd "$T/copy" || exit 1
run "$RALPH" trust --list
exit_is 0 "a copy of the repository has lost nothing"
cd "$T/work/project" || exit 1
if [[ $(stat -c %W "$RALPH_HOME") -gt 0 ]]; then
	mv "$RALPH_HOME" "$T/home.1"
	run "$RALPH" trust --list
	exit_is 0 "nor has a home that is made anew"
fi
RALPH_HOME=$T/home.2 run "$RALPH" trust --list
exit_is 0 "nor has another home"
no_leftovers "nothing goes on"
done_testing
