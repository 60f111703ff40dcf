#!/usr/bin/env bash
# Scenario: Pause ralph loop; and the table of what cannot be paused.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 5 wait-file go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 30 agents 5
run swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "it says so"
is "$(state_of agent '[.status, .current_iteration] | join(" ")')" "paused 5" "the state is paused"
not_ok "the agent continues running" gone "$(agent_of agent)"
is "$(worker_of agent .status)" running "the worker does"
run swarm ralph pause agent
is "$status $out$err" "0 swarm: warning: worker 'agent' is already paused" "a second time is warned about"
touch go
wait_for 20 said "$T/bg.$bg.out" 'iteration 5 completed \(exit: 0'
wait_for 20 worker_is agent .status stopped && pass "the agent exits"
run swarm ralph status agent
like "$out" '^Ralph Loop: agent
Status: paused
Iteration: 5/10
' "the loop stays paused"
is "$(wc -l <starts)" 5 "it did not restart"
swarm spawn --name plain -- sleep 600 >plain.out
run swarm ralph pause plain
is "$status $out$err" "1 swarm: error: worker 'plain' is not a ralph worker" "who is no ralph worker cannot be paused"
swarm kill --all >killed
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
