#!/usr/bin/env bash
# E14: with a story filter, complete and blocked were the same words and the same exit code.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
graph 'nodes:
- {id: a, story: S-1}
- {id: b, story: S-2, status: complete}
edges:
- {from: a, to: b}'
WORKTREE_STORY=S-2 g prompt
exit_is 1 "a story that is complete"
like "$err" "^all tasks complete" "says so"
graph 'nodes:
- {id: a, story: S-1}
- {id: b, story: S-2}
edges:
- {from: a, to: b}'
WORKTREE_STORY=S-2 g prompt
exit_is 1 "one that is blocked"
is "$err" "blocked: 1 waiting (b for a)" "says something else"
done_testing
