#!/usr/bin/env bash
# The state home is removed while a loop over a graph runs: it ends its agent and ends; its task can be claimed again.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"

repo
graph_agent
tasks T-1 T-2
does T-1 'exec sleep 600'
run_bg "$RALPH" graph run -- ./agent
wait_for 60 test -s starts.T-1
wait_for 30 rm -rf "$RALPH_HOME" 2>/dev/null
end_bg 60 "$bg"
exit_is 1 "it ends, and not with success"
like "$err" 'because its record was removed or moved away: ' "and says why"
not_ok "no other agent was started" test -e starts.T-2
not_ok "nothing is made in the home" test -e "$RALPH_HOME"
claims T-1 "its task can be claimed again"
no_leftovers "nothing goes on"
done_testing
