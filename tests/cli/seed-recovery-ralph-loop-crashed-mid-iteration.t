#!/usr/bin/env bash
# Recovery procedure: Ralph loop crashed mid-iteration.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 2 hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 4 -- claude
wait_for 20 agents 2
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
crash "$bg" "$(keeper_of agent)"
wait_for 20 gone "$agent"
# Check ralph state
run swarm ralph status agent
exit_is 0 "swarm ralph status works"
like "$out" '^Ralph Loop: agent
Status: running \(.*swarm ralph resume agent.*\)
Iteration: 2/4
' "it shows running, that nothing runs, and what to type"
run swarm status agent
like "$status $out" '^1 agent: stopped ' "the worker is not there"
# If state shows "running" but no worker
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "swarm ralph resume"
run swarm wait --timeout 90 agent
is "$status $(cut -d ' ' -f 1 starts | xargs)" "0 1 2 3 4" "starts agents again, where it was"
is "$(state_of agent '[.status, .current_iteration] | join(" ")')" "stopped 4" "until the loop is complete"
no_leftovers "nothing goes on"
done_testing
