#!/usr/bin/env bash
# W17: a worktree is removed from any directory.
. "$(dirname "$0")/../cli/seed.sh"

git init -q repo && git -C repo commit -q --allow-empty -m begin
cd repo || exit 1
swarm spawn --name w --worktree -- sleep 600 >said
cd / || exit 1
ok "(it is there)" test -d "$T/work/repo-worktrees/w"
run swarm kill w --rm-worktree
is "$status $out$err" "0 killed w" "kill --rm-worktree from elsewhere"
not_ok "removes it" test -e "$T/work/repo-worktrees/w"
is "$(git -C "$T/work/repo" worktree list | wc -l)" 1 "and git knows"
is "$(git -C "$T/work/repo" branch --list w)" "" "its branch, which had nothing, is gone as well"
no_leftovers "nothing goes on"
done_testing
