#!/usr/bin/env bash
# A worker that dies is replaced, and the task given to the next; one that always dies ends the run
# with an alert and exit code 1.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T001.task) echo half >half.txt; once dead && kill -9 $PPID; echo whole >half.txt; ralph done --summary whole ;;
T002.task) kill -TERM $PPID ;;
T003.task) ralph done ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 11 "who dies is replaced"
is "$(texts | grep -v clear | xargs)" "task T001 task T001 task T002 task T002 task T003" "twice for one task, then it is given up"
is "$(git show --name-only --format=%s HEAD | xargs)" "T001: whole half.txt" "what the first left is in the commit of the second"
is "$(marks | xargs)" "x T001 T002 x T003" "the marks"
like "$out" 'T002: ' "and what is left is said"

list '- [ ] T004: Four' '- [ ] T005: Five'
worker <<'END'
kill -9 $PPID
END
: >"$led/log"
: >"$T/alerts"
todo --on-alert "cat >>$T/alerts"
exit_is 1 "who always dies"
is "$(texts | wc -l)" 3 "is replaced so often"
like "$(jq -r .text "$T/alerts" | tail -n 1)" '3 consecutive failures' "and then somebody is told"
like "$out" 'The worker could not be kept running\.' "and it says so"
is "$(grep -c 'it will be tried again' <<<"$out")" 1 "who was to be tried again, was"
unlike "$(grep -B1 'could not be kept' <<<"$out")" 'tried again' "and nothing is promised right before the end"
is "$(jq -c '[.status, .current_task]' ai/ralph/state.json)" '["failed",null]' "the state is saved"
run "$RALPH" todo -- /nonexistent/worker
exit_is 1 "a worker that is not there"
no_leftovers "nothing goes on"
done_testing
