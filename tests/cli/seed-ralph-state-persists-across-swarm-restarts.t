#!/usr/bin/env bash
# Edge case: Ralph state persists across swarm restarts (can resume after crash).
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 1 exit 1; when-iteration 2 wait-file go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 --done-pattern never -- claude
wait_for 20 agents 2
wait_for 20 field_is agent '.sessions[0].pid != null' true
started=$(state_of agent .started)
crash "$bg"
is "$(state_of agent '[.status, .current_iteration, .max_iterations, .total_failures, .done_pattern] | join(" ")')" \
	"running 2 3 1 never" "the state survives a kill -9 of swarm"
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "it can be resumed"
touch go
run swarm wait agent
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "with the agent that was left, and the count that was"
is "$(state_of agent '[.status, .current_iteration, .total_failures, .started] | join(" ")')" "stopped 3 1 $started" "to its end"
no_leftovers "nothing goes on"
done_testing
