#!/usr/bin/env bash
# A task that something outside keeps from being done: marked with the reason, somebody is told, and
# the next one is begun.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: By a tag @ada' '- [ ] T002: By the command' '- [ ] T003: Done'
worker <<'END'
case $TASK.$KIND in
T001.task) echo half >half.txt; tag 'BLOCKED:no key for the API' ;;
T002.task) ralph blocked the server is down; ralph done; : >"$LED/refused" ;;
T003.task) echo three >three.txt && done_by_tag ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 11 "not all is complete"
is "$(jq -r .text "$T/alerts")" "T001 is blocked: no key for the API
T002 is blocked: the server is down
2 of 3 tasks failed" "somebody is told, at once and at the end"
is "$(sed -n '4,$p' ai/todo.md | sed 's/ (completed.*//')" '- [~] T001: By a tag **BLOCKED** - no key for the API @ada
- [~] T002: By the command **BLOCKED** - the server is down
- [x] T003: Done' "the list says why"
is "$(commits)" "T003: did T003" "nothing of theirs is committed"
is "$(git status --porcelain)" "?? half.txt" "and nothing is lost"
like "$out" 'T001 is blocked \(no key for the API\), T002 is blocked \(the server is down\)$' "the end says what is left and why"
unlike "$out" 'All tasks complete' "and promises nothing"
is "$(jq -c '[.tasks_completed, .tasks_stuck]' ai/ralph/state.json)" '[["T003"],["T001","T002"]]' "so does the state"
like "$(grep -A 4 'T001:' ai/ralph/activity.md)" 'Status:\*\* blocked' "and activity.md"
todo
exit_is 12 "what is blocked is left alone"
like "$out" 'T001 is blocked \(no key for the API\)' "and named"
no_leftovers "nothing goes on"
done_testing
