#!/usr/bin/env bash
# W10: a state.json that somebody breaks does not end the loop.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
wait_for 20 agents 1
echo '{"worker_name": "agent"} Extra data' >~/.swarm/ralph/agent/state.json
next_agent
wait_for 20 agents 2
is "$(state_of agent '[.current_iteration, .max_iterations, .prompt_file] | join(" ")')" "2 3 $PWD/PROMPT.md" "the loop has its own truth, and writes it"
: >~/.swarm/ralph/agent/state.json
run swarm ralph status agent
like "$status $out" '^0 .*Iteration: 2/3' "status has it, too"
next_agent
wait_for 20 agents 3
next_agent
end_bg 20 "$bg"
is "$status $(wc -l <starts)" "0 3" "all iterations are done"
no_leftovers "nothing goes on"
done_testing
