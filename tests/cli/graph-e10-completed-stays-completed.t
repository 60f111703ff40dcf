#!/usr/bin/env bash
# E10: what an agent completed as it was told was undone by the next refresh, and done again.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
for i in 1 2; do ticket T-$i; done
graph "nodes: []"
g refresh
does T-2 'ralph graph complete T-2; ralph graph refresh'
g run --delay 0 -- ./agent
like "$out" ': all tasks complete' "both are complete"
g refresh
g run --delay 0 -- ./agent
like "$out" '0 iterations' "and stay so after a refresh"
is "$(starts T-1) $(starts T-2)" "1 1" "each was done once"
like "$(cat docs/active/tickets/T-1.md)" 'status: complete' "the ticket says so, too"
done_testing
