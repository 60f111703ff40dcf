#!/usr/bin/env bash
# A done file counts when it is valid, of this task, and of this turn; what is wrong with it is said
# to the worker.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: A stale file' '- [ ] T002: An invalid file' '- [ ] T003: The file of another' \
	'- [ ] T004: A file that comes late'
mkdir -p ai/ralph/results
echo '{"task_id":"T001","completed_at":"2020-01-01T00:00:00","status":"done","summary":"old","files_modified":[]}' \
	>ai/ralph/results/T001.done.json
worker <<'END'
case $TASK.$KIND in
T001.task) tag DONE ;;
T002.task) echo '{"task_id": "T002", "status": ' >ai/ralph/results/T002.done.json; tag DONE ;;
T003.task) file T001 T003; tag DONE ;;
T004.task) tag DONE; while ! grep -q 'T004: the worker says' "$LED/out"; do sleep 0.05; done; file ;;
*.reminder) ralph done --summary 'at last' ;;
esac
END
todo_bg --commit off
ln -s "$T/bg.$bg.out" "$led/out"
end_bg 60 "$bg"
exit_is 0 "all of it"
is "$(texts | grep -v clear | xargs)" "task T001 reminder T001 task T002 reminder T002 task T003 reminder T003 task T004" \
	"three are reminded; a file that comes within two seconds is waited for"
stale=(ai/ralph/results/T001.done.json.stale.*)
is "$(jq -r .summary "${stale[0]}")" old "the stale file was set aside"
is "$(jq -r .summary ai/ralph/results/T001.done.json)" "at last" "and a fresh one counted"
like "$err" 'T001: an older done file was set aside' "which is said"
like "$(cat "$led/T001.2.reminder")" 'does not count: .*T001' "the first had none"
like "$(cat "$led/T002.2.reminder")" 'does not count: .*T002\.done\.json' "the second is told where it cannot be read"
like "$(cat "$led/T003.2.reminder")" 'does not count: .*T001' "the third that it is of another task"
no_leftovers "nothing goes on"
done_testing
