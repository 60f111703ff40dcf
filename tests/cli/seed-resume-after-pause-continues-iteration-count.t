#!/usr/bin/env bash
# Edge case: Resume after pause continues iteration count (does not reset).
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 2 wait-file go; when-iteration 3 exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 4 -- claude
wait_for 20 agents 2
started=$(state_of agent .started)
swarm ralph pause agent >paused
touch go
wait_for 20 worker_is agent .status stopped
swarm ralph resume agent >resumed
end_bg 20 "$bg"
exit_is 0 "the loop comes to its end"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3 4" "no iteration is counted twice or left out"
is "$(state_of agent '[.current_iteration, .total_failures] | join(" ")')" "4 1" "the state has the whole count"
is "$(state_of agent .started)" "$started" "and when it all began"
no_leftovers "nothing goes on"
done_testing
