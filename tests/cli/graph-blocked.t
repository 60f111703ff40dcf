#!/usr/bin/env bash
# Blocked is told apart from complete, with and without a story (E5, E14).
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
plan 15
repo
graph 'nodes:
- {id: a, story: S-1, status: blocked}
- {id: b, story: S-1}
- {id: c, story: S-2}
edges:
- {from: a, to: b}'

export WORKTREE_STORY=S-1
g prompt
exit_is 1 "everything of the story is blocked"
is "$err" "blocked: 1 blocked (a); 1 waiting (b for a)" "that is said"
g prompt c
exit_is 2 "a task of another story is refused"
like "$err" 'c is not of story S-1 \(WORKTREE_STORY\); --force takes it' "which is said"
g complete a
g complete b
like "$err" '' "a task may be completed early"
g prompt
exit_is 1 "everything of the story is complete"
is "${err%%$'\n'*}" "all tasks complete" "that is said, to the letter"
like "$err" 'story S-1' "and that there may be more"
WORKTREE_STORY=S-l
g prompt
exit_is 2 "a story that nobody has is a mistake"
like "$err" 'no task is of story S-l' "not the end of the work"
WORKTREE_STORY=S-1
g prompt --force c
exit_is 0 "--force takes one of another story"
unset WORKTREE_STORY
g prompt
like "$err" '^blocked: 1 in progress \(c\)' "without a story, all tasks count"
g complete c
g prompt
is "$err" "all tasks complete" "until all are complete"
graph $'nodes: []'
g prompt
exit_is 1 "a graph without tasks"
is "$err" "all tasks complete" "is complete"
