#!/usr/bin/env bash
# A list that its worker deletes: the task is committed, somebody is told what is missing, and the run waits
# until the list is there again; then it goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
cp ai/todo.md ../kept
worker <<'END'
case $TASK.$KIND in
T001.task) rm ai/todo.md; echo one >one.txt; ralph done --summary one ;;
*.task) ralph done ;;
esac
END
todo_bg --on-alert 'jq -r .text >>alerts'
wait_for 40 said alerts 'T002: removed from the list'
wait_for 40 said alerts 'ai/todo.md is not there any more; put it back, and the run goes on'
is "$(commits)" "T001: one" "the commit is there"
run "$RALPH" status "$name"
like "$out" 'is not there any more; put it back' "status says what is missing"
mv ../kept ai/todo.md
end_bg 120 "$bg"
exit_is 12 "when it is back the run goes on"
like "$out" 'T001 complete, committed as [0-9a-f]+: its line is not in the list any more' "what was said of the task is true"
is "$(jq -c .tasks_completed ai/ralph/state.json)" '["T001","T002"]' "both are done"
like "$out" 'T001 was done in this run, but is not ticked' "the end says how the list stands"
no_leftovers "nothing goes on"
done_testing
