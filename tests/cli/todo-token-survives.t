#!/usr/bin/env bash
# The token of a turn outlives a supervisor that is killed: a word that is said with it while nobody
# listens counts, and whatever the worker is told to run later has the same one.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Says done when nobody listens' '- [ ] T003: Forgets its file'
worker <<'END'
wait_there() { until [ -e "$LED/$1" ]; do sleep 0.02; done; }
case $TASK.$KIND in
T001.task) ralph done ;;
T002.task)
	: >"$LED/two"
	wait_there down
	command ralph done 2>"$LED/bare"
	ralph done --summary two
	echo $? >"$LED/said"
	;;
T003.task) : >"$LED/three"; wait_there up; tag DONE ;;
T003.reminder) ralph done --summary three ;;
esac
END
todo_bg
wait_for 20 test -e "$led/two"
crash "$bg"
: >"$led/down"
wait_for 20 test -s "$led/said"
is "$(cat "$led/said")" 0 "it is taken without a supervisor"
like "$(cat "$led/bare")" 'counts only for the first task' "but not without its token"
todo_bg
wait_for 20 test -e "$led/three"
crash "$bg"
todo_bg
wait_for 20 said "$T/bg.$bg.err" 'going on'
: >"$led/up"
end_bg 30 "$bg"
exit_is 0 "all are complete"
is "$(marks | xargs)" "x T001 x T002 x T003" "as the list says"
is "$(texts | grep -v clear | xargs)" "task T001 task T002 task T003 reminder T003" "each was given once"
like "$(cat "$led/T003.2.reminder")" "run: ralph done --turn $(token T003) " "the reminder has the token of the prompt"
no_leftovers "nothing goes on"
done_testing
