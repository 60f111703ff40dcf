#!/usr/bin/env bash
# "parallelAutoMerge": false: the user merges.  The ticket's branch has all of the work, also what the agent did not
# commit, and the place is named where it is told and at the end.
. "$(dirname "$0")/tickets.sh"

new_project
config parallelAutoMerge false
ticket pt-1
ticket pt-2
does pt-1 'work; close_ticket'
does pt-2 'work; promise'
work_on
exit_is 0 "both are done"
is "$(git show ralph/pt-1:out/pt-1)" "work of pt-1" "the branch has what the agent did not commit"
is "$(git show ralph/pt-2:out/pt-2)" "work of pt-2" "so has that of one that promised"
is "$(git log -1 --format=%s ralph/pt-1)" "Ralph: complete pt-1" "in a commit of the usual name"
like "$(git show ralph/pt-2:.tickets/pt-2.md)" 'status: closed' "with the ticket closed"
is "$(git -C .tf/ralph/worktrees/pt-1 status --porcelain)" "" "the worktree has nothing left over"
not_ok "nothing is merged" has main out/pt-1
like "$err" 'pt-1: COMPLETE \(exit 0\)
on the branch ralph/pt-1, not merged; in [^ ]*/\.tf/ralph/worktrees/pt-1' "its place is named when it ends"
like "$(sed -n '/^## Loop/,$p' <<<"$err")" "- Not merged: 2
  pt-1: on the branch ralph/pt-1, not merged; in [^ ]*/pt-1
  pt-2: on the branch ralph/pt-2" "and at the end"

# What is to be left uncommitted is.
rm -rf "$project"
new_project
config parallelAutoMerge false
config commitLeftovers false
ticket pt-3
does pt-3 'work; close_ticket'
work_on
exit_is 0 "without commitLeftovers it is done, too"
is "$(git rev-parse ralph/pt-3)" "$(git rev-parse main)" "nothing is committed"
is "$(cat .tf/ralph/worktrees/pt-3/out/pt-3)" "work of pt-3" "and the work is in the worktree"
like "$err" 'on the branch ralph/pt-3, not merged; in [^ ]*/pt-3' "which is named"

# Where git does not know the tickets, one whose agent promised is closed in the project.
rm -rf "$project"
new_project untracked
config parallelAutoMerge false
ticket pt-4
does pt-4 'work; promise'
work_on
exit_is 0 "a ticket that git does not know"
is "$(status_of pt-4)" closed "is closed"
is "$(git show ralph/pt-4:out/pt-4)" "work of pt-4" "and its work is on its branch"
done_testing
