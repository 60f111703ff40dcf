#!/usr/bin/env bash
# PROGRESS in all its forms is told, and is a sign of life.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $KIND in
task)
	tag PROGRESS:10
	tag PROGRESS:20%
	tag progress:30
	printf '\033[1;32m<promise>\033[0mPROGRESS:\033[31m40</promise>\033[0m\n'
	printf '\n● <promise>PROGRESS:50</promise>\n'
	printf '\n<promise>PROGRESS:\n60</promise>\n'
	printf '<promise>STUCK:%0130d</promise>\n' 7
	tag PROGRESS:400
	tag PROGRESS:x
	ralph progress 70
	ralph progress 80%
	ralph progress 101x 2>"$LED/no"
	printf 'when it is done I print <promise>DONE</promise> and leave\n'
	;;
help) done_by_tag ;;
esac
END
todo
exit_is 0 "all of it"
# Commands are heard at once, what is printed when the screen has settled.
is "$(facts 'select(.signal == "progress") | .text' | sort -n | xargs)" "10 20 30 40 50 60 70 80 100" "each is heard, once"
is "$(facts 'select(.signal == "stuck") | .text')" "$(printf %0130d 7)" "also when the screen wraps it"
like "$out" 'T001: 60 %' "and told"
iso='[0-9-]{10}T[0-9:]{8}'
is "$(sed -nE "s/^\*\*Progress:\*\* T001: ([0-9]+) % — $iso\$/\1/p" ai/ralph/activity.md | sort -n | xargs)" \
	"10 20 30 40 50 60 70 80 100" "activity.md has each"
like "$(cat "$led/no")" "'101x' is no percentage" "nonsense is refused"
no_leftovers "nothing goes on"
done_testing
