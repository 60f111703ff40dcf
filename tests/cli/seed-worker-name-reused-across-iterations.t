#!/usr/bin/env bash
# Edge case: Worker name reused across iterations (same name, iteration tracked in metadata).
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
for iteration in 1 2 3; do
	wait_for 20 agents $iteration
	is "$(swarm ls --format names)" agent "iteration $iteration: there is one worker, of the same name"
	is "$(worker_of agent '"\(.status) \(.metadata.ralph_iteration)"')" "running $iteration" "its metadata have the iteration"
	next_agent
done
end_bg 20 "$bg"
is "$(worker_of agent '"\(.status) \(.metadata.ralph_iteration)"')" "stopped 3" "also when it is over"
no_leftovers "nothing goes on"
done_testing
