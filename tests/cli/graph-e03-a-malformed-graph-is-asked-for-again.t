#!/usr/bin/env bash
# E3: a graph that cannot be read for a moment ended the loop with "No tasks available", exit code 0.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
printf 'nodes:\n  - id: [\n' >task-graph.yaml
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 said logs/ralph.jsonl '"action":"error"'
ok "the loop goes on" kill -0 "$bg"
like "$(cat "$T/bg.$bg.out")" 'error: task-graph.yaml:.*asking again in 1s' "and says what is wrong"
tasks T-1
end_bg 30 "$bg"
exit_is 0 "once it can be read"
like "$out" 'T-1 completed' "the work goes on"
like "$out" ': all tasks complete' "to the end"
like "$(actions)" '^loop_started (error )+started completed finished$' "which the log tells"
no_leftovers "nothing goes on"
done_testing
