#!/usr/bin/env bash
# E7: refresh, which every completion runs, gave a claimed task back.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
for i in 1 2 3; do ticket T-$i; done
graph "nodes: []"
g refresh
does T-1 'ralph graph refresh && ralph graph complete T-1'
does T-2 'ralph graph refresh' 'exit 1'
does T-3 'ralph graph refresh; ralph graph prompt 2>>why; ralph graph complete T-3; ralph graph refresh'
g run --delay 0 -- ./agent
exit_is 11 "agents that refresh, of which one fails"
is "$(starts T-1) $(starts T-2) $(starts T-3)" "1 1 1" "each task is given out once"
is "$(now T-1) $(now T-2) $(now T-3)" "complete in-progress complete" "claims and verdicts stay"
like "$(cat why)" '^blocked: ' "even when asked for in between"
done_testing
