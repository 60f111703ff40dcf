#!/usr/bin/env bash
# Recovery procedure: Clean up ralph state.
. "$(dirname "$0")/../cli/seed.sh"

echo 'when-iteration 1 exit 1' >claude.txt
for name in agent other; do
	swarm spawn --name $name --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude >said
done
# Remove ralph state for a worker
rm -rf ~/.swarm/ralph/agent/
run swarm ralph status agent
exit_is 1 "the loop of that worker is forgotten"
run swarm ralph list --format names
is "$status $out" "0 other" "the other one is not"
is "$(swarm ls --format json | jq -c 'map(.name)' | grep -c other)" 1 "and no command fails"
: >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
is "$status $(state_of agent '[.current_iteration, .total_failures] | join(" ")')" "0 3 0" "a new one of that name begins at the beginning"
# Clean all ralph state
rm -rf ~/.swarm/ralph/
run swarm ralph list
is "$status$out$err" 0 "all loops are forgotten"
run swarm ls
exit_is 0 "and ls still works"
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- claude
is "$status $(state_of agent .current_iteration)" "0 1" "a new loop can be spawned"
no_leftovers "nothing goes on"
done_testing
