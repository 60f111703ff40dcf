#!/usr/bin/env bash
# What becomes of a ticket's worktree and branch, and of a ticket that cannot have one.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
does pt-1 'work; close_ticket; commit'
does pt-2 'work; commit; exit 1'
work_on
exit_is 11 "one is done, one failed"
is "$(git log --format=%s main -- out/pt-1)" "work on pt-1" "the agent's own commit lands as it is"
not_ok "with nothing added where it left nothing" grep -qx 'Ralph: complete pt-1' <(git log --format=%s)
is "$(git branch --list 'ralph/*')" "" "what failed leaves no branch"
is "$(git worktree list | wc -l)" 1 "and no worktree"
not_ok "nor a directory" test -e .tf/ralph/worktrees/pt-2
like "$err" 'Cleaning up worktree\.\.\. done' "which is said"
is "$(git show refs/ralph/failed/pt-2/1:out/pt-2)" "work of pt-2" "its work is kept under a ref"

# A file stands where the worktrees should be.
rm -rf .tf/ralph/worktrees
echo "the user's" >.tf/ralph/worktrees
ticket pt-3
ticket pt-4
work_on
exit_is 11 "no worktree can be made"
is "$(starts pt-3) $(starts pt-4)" "0 0" "then no agent is started"
is "$(summary Failed)" "3 (pt-2 pt-3 pt-4)" "the tickets have failed, and the loop went on after the first"
like "$err" 'pt-3: FAILED \([^)]*\)' "with the cause"
like "$err" 'worktrees' "and what was in the way"
is "$(cat .tf/ralph/worktrees)" "the user's" "which is not touched"
done_testing
