#!/usr/bin/env bash
# Scenario: Resume paused ralph loop; with an agent that still runs; and when it is not paused.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 5+ wait-file go; when-iteration 5+ sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 30 agents 5
run swarm ralph resume agent
is "$status $out$err" "0 swarm: warning: worker 'agent' is not paused" "what is not paused is warned about"
swarm ralph pause agent >paused
next_agent
wait_for 20 worker_is agent .status stopped
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "it says so"
wait_for 20 agents 6
is "$(state_of agent '[.status, .current_iteration] | join(" ")')" "running 6" "the state is running, and the count goes on"
is "$(tail -n 1 "$T/bg.$bg.out")" "[ralph] agent: starting iteration 6/10" "a new agent is spawned"

# If the worker runs: wait for its exit, then continue.
running=$(agent_of agent)
swarm ralph pause agent >paused
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "with an agent that still runs"
not_ok "it is left alone" gone "$running"
is "$(wc -l <starts)" 6 "and no other is started beside it"
next_agent
wait_for 20 agents 7 && pass "after its exit the loop continues"
swarm kill agent >killed
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
