#!/usr/bin/env bash
# E5: everything blocked was "All tasks complete", too, when the loop was for one story.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
graph 'nodes:
- {id: a, story: S-1}
- {id: b, story: S-2}
- {id: c, story: S-2}
edges:
- {from: a, to: b}
- {from: b, to: c}'
g run --story S-2 --delay 0 -- ./agent
exit_is 0 "a story of which nothing can be done"
like "$out" 'blocked: 2 waiting \(b for a, c for b\)' "is blocked, and says by what"
unlike "$out$err" 'complete$|all tasks complete' "not complete"
is "$(tail -1 logs/ralph.jsonl | jq -r '.action + " " + .story_filter')" "blocked S-2" "in the log, too"
g run --story S-1 --delay 0 -- ./agent
like "$out" ': all tasks of story S-1 complete' "the other one is complete when it is done, and not more is said"
is "$(tail -1 logs/ralph.jsonl | jq -r .outcome)" "all tasks of story S-1 complete (1 iteration: 1 completed, 0 failed)" "nor logged"
WORKTREE_STORY=S-2 g run --delay 0 -- ./agent
like "$out" '2 iterations: 2 completed' "then this one can be done, named as before"
g run --story S-3 -- ./agent
exit_is 2 "a story that is not there"
like "$err" 'no task is of story S-3' "is neither"
done_testing
