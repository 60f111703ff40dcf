#!/usr/bin/env bash
# A worker that asks gets an answer, made from the project by the kind of its question; the same
# question a fourth time blocks the task.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks by a tag' '- [ ] T002: Asks by the command' '- [ ] T003: Asks the same for ever' '- [ ] T004: Done'
mkdir src
echo 'int parse(void);' >src/parser.h
git add src && git commit -qm parser
worker <<'END'
case $TASK.$KIND in
T001.task) tag 'STUCK:which file has the parser?' ;;
T002.task) ralph stuck 'what is the scope of this task?' ;;
T001.help | T002.help) done_by_tag ;;
T003.*) ralph stuck "Why does src/x$N.c fail at line $N?" ;;
T004.task) done_by_tag ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 11 "one could not be helped"
is "$(texts | grep -v clear | xargs)" \
	"task T001 help T001 task T002 help T002 task T003 help T003 help T003 help T003 task T004" "three answers"
like "$(cat "$led/T001.2.help")" '^# Ralph: help with T001.*> which file has the parser\?.*## Context.*src/parser\.h.*## Recommendation.*signal done when it is complete' \
	"the answer has the question, what was found, what to do"
like "$(cat "$led/T002.2.help")" 'Asks by the command' "the scope is in the task's own words"
like "$(jq -r .text "$T/alerts" | head -n 1)" '^T003 is blocked: stuck after 3 interventions: Why does' "then somebody is told"
like "$(grep T003 ai/todo.md)" '^- \[~\] T003: .* \*\*BLOCKED\*\* - stuck after 3 interventions' "it is marked"
is "$(marks | xargs)" "x T001 x T002 ~ T003 x T004" "and the next one is begun"
is "$(grep -c '^### Intervention — ' ai/ralph/activity.md)" 5 "every answer is in activity.md"
like "$(grep -A 6 -m 1 '^### Intervention' ai/ralph/activity.md)" 'Task:\*\* T001.*Reason:\*\* which file has the parser\?.*Context:\*\* .*Recommendation:\*\* ' \
	"with its reason, context and recommendation"
is "$(jq -c '[.interventions[] | [.task_id, .count]]' ai/ralph/state.json)" '[["T001",1],["T002",1],["T003",3]]' \
	"and counted in the state"
no_leftovers "nothing goes on"
done_testing
