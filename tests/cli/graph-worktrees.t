#!/usr/bin/env bash
# Two worktrees never get the same task (E8); making and removing worktrees loses nobody's work
# (E11).
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph 'nodes:
- {id: a}
- {id: b}
- {id: c}
edges:
- {from: a, to: c}'
git add -A
git commit -qm graph

g worktree new one
exit_is 0 "a worktree"
is "$out" "made $T/work/repo-one on branch feature/one" "beside the repository"
cd ../repo-one || exit 1
claims a "a task is claimed there"
cd ../repo || exit 1
claims b "the main work tree gets another one"
g prompt
exit_is 1 "and then none"
is "$err" "blocked: 2 in progress (a, b); 1 waiting (c for a)" "though its own graph knows of one claim only"
g worktree list
is "$out" "$T/work/repo  main  (main)  in progress: b
$T/work/repo-one  feature/one  in progress: a" "the list tells who is where"
g worktree remove one
exit_is 1 "a worktree in which a task is in progress is not removed"
like "$err" 'a is in progress in .*/repo-one; complete or reset it first' "which is said"

cd ../repo-one || exit 1
g complete a
git add -A
git commit -qm a
cd ../repo || exit 1
g prompt a
exit_is 2 "what is complete there is not done again here"
like "$err" 'a is complete in .*/repo-one; merge that' "but merged"
g complete b
g prompt
is "$err" "blocked: 1 waiting (c for a, which is complete elsewhere but not merged here)" "what needs it waits for that"
git checkout -q -- task-graph.yaml
git merge -q feature/one
g complete b
claims c "and goes on then"

# The branch has a commit that nothing else has; a new worktree goes on with it.
git -C ../repo-one commit -q --allow-empty -m precious
precious=$(git -C ../repo-one rev-parse HEAD)
g worktree remove one
exit_is 0 "a worktree is removed"
like "$out" 'the branch feature/one has commits that are nowhere else, and stays' "its branch stays"
g worktree new one
is "$(git rev-parse feature/one)" "$precious" "a new worktree of that name does not reset it"
echo x >../repo-one/file
g worktree remove one
exit_is 1 "uncommitted changes are not thrown away"
like "$err" 'worktree has 1 uncommitted change' "which is said"
g worktree remove one --force
exit_is 0 "unless that is wanted"
is "$(git rev-parse feature/one)" "$precious" "the branch stays even so"
g worktree new ../x
exit_is 1 "names stay inside"
g worktree
exit_is 2 "new, list or remove?"
g worktree list extra
exit_is 2 "not both"

# Another graph of the same repository has claims of its own.
mkdir -p sub
cp task-graph.yaml sub/
cd sub || exit 1
graph $'nodes:\n- {id: c}'
claims c "a graph in another directory is another graph"
done_testing
