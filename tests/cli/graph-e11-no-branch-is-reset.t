#!/usr/bin/env bash
# E11: making a worktree again reset its branch, which had work that was not merged.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1
git add -A && git commit -qm graph
g worktree new one
(cd ../repo-one && echo work >work && git add work && git commit -qm work)
g worktree remove one
exit_is 0 "a worktree with commits of its own is removed"
ok "its branch stays" git rev-parse -q --verify feature/one
before=$(git rev-parse feature/one)
g worktree new one
is "$(git rev-parse feature/one)" "$before" "and is not reset when it is made again"
ok "so its work is there" test -e ../repo-one/work
done_testing
