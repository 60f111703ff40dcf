#!/usr/bin/env bash
# A run over a graph goes on while its program is replaced.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/installed.sh"
. "$(dirname "$0")/graph.sh"

repo
tasks A B
graph_agent
does A 'until [ -e go ]; do sleep 0.05; done' 'ralph graph complete A'
run_bg "$RALPH" graph run --delay 0 -- ./agent
is_started() { [[ -s starts.A ]]; }
wait_for 30 is_started
replace over
touch go
end_bg 60 "$bg"
exit_is 0 "the run is over"
is "$(now A) $(now B)" "complete complete" "both tasks are complete"
no_leftovers "nothing goes on"
done_testing
