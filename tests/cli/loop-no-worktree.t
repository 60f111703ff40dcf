#!/usr/bin/env bash
# --no-worktree: workers are in the project itself; git is left alone.
. "$(dirname "$0")/tickets.sh"
plan 7

new_project
ticket pt-1
commit_tickets
head=$(git rev-parse HEAD)
does pt-1 <<'SCRIPT'
note "in $PWD, ${RALPH_WORKTREE-none}"; work; close_ticket
SCRIPT
work_on --no-worktree
exit_is 0 "it is done"
ok "the worker was in the project, without RALPH_WORKTREE" said "$T/log" "^in $project, none$"
is "$(git rev-parse HEAD)" "$head" "nothing was committed for it"
is "$(cat out/pt-1)" "work of pt-1" "its work is there"
not_ok "no worktree was made" test -e .tf/ralph/worktrees/pt-1
is "$(git branch --list 'ralph/*')" "" "and no branch"
ticket pt-2
does pt-2 'work; exit 1'
work_on --worktree never
is "$(cat out/pt-2)" "work of pt-2" "a failure removes nothing"
