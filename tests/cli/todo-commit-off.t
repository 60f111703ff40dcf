#!/usr/bin/env bash
# --commit off marks and logs, and leaves the changes.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $KIND in task) echo one >one.txt && ralph done ;; esac
END
todo --commit off
exit_is 0 "done"
is "$(commits)" "" "nothing is committed"
is "$(git status --porcelain)" "?? one.txt" "the change is there"
is "$(marks)" "x T001" "marked"
like "$(cat ai/ralph/activity.md)" 'Commit:\*\* skipped' "activity.md says so"
is "$(jq .git_workflow.auto_commit ai/ralph/state.json)" false "and the state"
no_leftovers "nothing goes on"
done_testing
