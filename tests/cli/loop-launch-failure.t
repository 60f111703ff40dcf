#!/usr/bin/env bash
# A worktree or a worker that cannot be started counts as started and failed; the loop goes on.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
ticket pt-1
ticket pt-2
mkdir -p .tf/ralph/worktrees
echo "a file of the user's" >.tf/ralph/worktrees/pt-1
echo "another" >.tf/ralph/worktrees/pt-1-2
git branch ralph/pt-1 && git branch ralph/pt-1-2
work_on
like "$err" 'pt-2: COMPLETE' "the other ticket is done"
is "$(cat .tf/ralph/worktrees/pt-1)" "a file of the user's" "what was in the way is not removed"
is "$(summary Iterations)" 2 "both count as started"
ticket pt-3
does pt-3 'work; close_ticket; commit; rm -f "$T/worker"'
ticket pt-4
work_on
exit_is 11 "a worker that vanishes"
like "$err" 'pt-4: FAILED \(not started\)' "fails its ticket"
