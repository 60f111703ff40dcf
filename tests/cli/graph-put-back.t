#!/usr/bin/env bash
# A graph that was put back by hand (`git checkout`) has forgotten what was completed in this very work tree: that is
# not "elsewhere", and nothing is to be merged.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph 'nodes:
  - {id: T-1, status: ready}
  - {id: T-2, status: pending, depends_on: [T-1]}'
git add -A
git commit -qm graph
g complete T-1
git checkout -q task-graph.yaml
g status
unlike "$out" 'elsewhere' "what was completed here is not elsewhere"
like "$out" $'\nCompleted here, though task-graph.yaml does not say so:\n  T-1  \\(ralph graph complete T-1, or ralph graph reset T-1\\)' \
	"it is told as what it is, with the ways out"
g prompt
exit_is 1 "what waits for it waits"
is "$err" "blocked: 1 waiting (T-2 for T-1, which was completed here, though the graph does not say so)" "and says for what"
g prompt T-1
exit_is 2 "it is not given out again"
like "$err" "T-1 was completed here, though the graph does not say so; 'ralph graph complete T-1' says it again" "but told how to go on"
g prompt T-2
like "$err" 'T-2 waits for T-1, which is complete, though the graph does not say so' "also who asks for the next by name"
g complete T-1
claims T-2 "one of the ways leads on"
done_testing
