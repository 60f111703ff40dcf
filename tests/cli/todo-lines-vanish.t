#!/usr/bin/env bash
# A task whose line is removed while a worker has one is not done: somebody is told at once, and the end
# names it.  The worker's own line may go, too: its work is committed, and that is said.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three' '## Other' '- [ ] T009: not asked for'
worker <<'END'
case $KIND.$TASK in
task.T001) sed -i '/T00[29]/d' ai/todo.md; echo one >one.txt; ralph done --summary one ;;
task.T003) sed -i '/T003/d' ai/todo.md; echo three >three.txt; ralph done --summary three ;;
esac
END
todo --on-alert "jq -r .text >>$T/alerts"
exit_is 11 "a task that vanished is not done"
unlike "$out" 'All tasks complete' "and not all are complete"
like "$out" $'\nremoved from the list, and not done: T002$' "the last words name it"
like "$(cat "$T/alerts")" 'T002: removed from the list while a worker had a task, and not by us' "somebody is told"
like "$out" 'T003 complete, committed as [0-9a-f]+: its line is not in the list any more' "the worker's own line is missed, too"
is "$(commits | xargs)" "T003: three T001: one" "what is done is committed"
like "$(cat ai/ralph/activity.md)" 'Notes:\*\* its line is not in the list any more' "activity.md says so"
is "$(jq -c '[.status, .tasks_completed]' ai/ralph/state.json)" '["stopped",["T001","T003"]]' "and the state has what is done"

# What comes back is worked on.
list '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $KIND.$TASK in
task.T001) sed -i '/T002/d' ai/todo.md; ralph done ;;
task.T003) echo '- [ ] T002: Two' >>ai/todo.md; ralph done ;;
task.*) ralph done ;;
esac
END
todo
exit_is 0 "one that is on the list again is done"
like "$out" 'T002 complete' "in its turn"
like "$out" 'All tasks complete!' "and then all are"
no_leftovers "nothing goes on"
done_testing
