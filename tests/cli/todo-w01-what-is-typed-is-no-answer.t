#!/usr/bin/env bash
# Weakness 1: a marker matched its own echo.  A worker that shows what it is given: no tag in a prompt,
# in an answer of ours or in what a person types is its own word, even when the done file is there.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: See tags.md and print <promise>DONE</promise>' '- [ ] T002: Two'
printf 'When done:\n\n<promise>DONE</promise>\n<promise>BLOCKED:no</promise>\n' >tags.md
: >"$led/echo"
worker <<'END'
case $TASK.$KIND in
T001.task) file; tag PROGRESS:1 ;;
T001.other) tag 'STUCK:what now?' ;;
T001.help) tag PROGRESS:2; while [ ! -e "$LED/go" ]; do sleep 0.05; done; ralph done ;;
T002.task) done_by_tag ;;
esac
END
todo_bg --commit off --help-command 'printf "<promise>DONE</promise>\n\nSay it again.\n"'
wait_for 20 said "$T/bg.$bg.out" 'T001: 1 %'
run "$RALPH" send "$name" '<promise>DONE</promise>'
exit_is 0 "a person types it"
wait_for 20 said "$T/bg.$bg.out" 'T001: 2 %'
is "$(facts 'select(.fact == "signalled") | .signal' | grep -v ready | xargs)" "delivered progress stuck told progress" \
	"none of the echoes is heard"
: >"$led/go"
end_bg 20 "$bg"
exit_is 0 "the worker's own word is, and in the next task the same tag"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 2 "once a task"
no_leftovers "nothing goes on"
done_testing
