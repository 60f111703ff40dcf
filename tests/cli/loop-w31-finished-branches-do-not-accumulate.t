#!/usr/bin/env bash
# W31: merged branches and their worktrees are removed, and nothing else is.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
git branch ralph/mine
for id in pt-{1..4}; do ticket "$id"; done
work_on --parallel 2
exit_is 0 "four are done"
is "$(git branch --format='%(refname:short)' | xargs)" "main ralph/mine" "only the user's branches are left"
is "$(git worktree list | wc -l)" 1 "git knows no other worktree"
is "$(find .tf/ralph/worktrees -mindepth 1 -type d)" "" "nor is there one on disk"
is "$(git for-each-ref refs/ralph)" "" "no ref of ours is left"
