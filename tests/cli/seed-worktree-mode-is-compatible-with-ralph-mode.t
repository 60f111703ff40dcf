#!/usr/bin/env bash
# Edge case: Worktree mode (--worktree) is compatible with ralph mode.
. "$(dirname "$0")/../cli/seed.sh"

git init -q repo && cd repo || exit 1
echo 'Do task A' >PROMPT.md
# shellcheck disable=SC2016 # the agent's shell expands it
echo 'count starts; sh echo "$RALPH_ITERATION" >file && git add file && git commit -qm "iteration $RALPH_ITERATION"' >claude.txt
git add claude.txt && git commit -qm begin
run swarm spawn --name agent --ralph --worktree --prompt-file ./PROMPT.md --max-iterations 2 -- claude
exit_is 0 "the loop goes through"
tree=$T/work/repo-worktrees/agent
is "$(worker_of agent '[.worktree.path, .worktree.branch, .cwd] | join(" ")')" "$tree agent $tree" "the worker has its worktree"
is "$(cat "$tree/prompt.2")" "Do task A" "the prompt file is the one that was named at spawn"
is "$(git log --format=%s agent | xargs)" "iteration 2 iteration 1 begin" "all iterations work in it"
is "$(git log --format=%s main) $(ls)" "begin PROMPT.md
claude.txt" "and the repository itself is left alone"
no_leftovers "nothing goes on"
done_testing
