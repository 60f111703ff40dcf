#!/usr/bin/env bash
# The supervisor is killed while claude works: resume takes over the agent that runs.
. "$(dirname "$0")/lib.sh"

echo 'Do the next task. When none is left, print: All tasks complete' >prompt
model '[
	{"tools": [{"name": "Bash", "input": {"command": "echo one >work.txt", "description": "Begin"}}]},
	{"wait": "'"$PWD"'/go", "tools": [{"name": "Bash", "input": {"command": "echo two >>work.txt", "description": "Go on"}}]},
	{"text": "That is all.\n\nAll tasks complete"}
]'
run_bg "${loop[@]}" plan --max-iterations 3 --done-pattern 'All tasks complete' -- claude --dangerously-skip-permissions
wait_for 30 asked_times 2
agent=$(agent_of plan)
crash "$bg"
not_ok "claude goes on without its supervisor" gone "$agent"
run "$RALPH" status plan
like "$out" 'ralph resume plan' "status says what to type"
run "$RALPH" resume plan
exit_is 0 "resume takes the loop over"
is "$(field plan '[.supervised, .iteration, .sessions[0].pid] | join(" ")')" "true 1 $agent" "with the agent that runs"
touch go
run "$RALPH" wait plan
exit_is 0 "which says that it is done"
is "$(cat work.txt)" "one
two" "and has done its work once"
is "$(field plan '[.iteration, .total_failures] | join(" ")')" "1 0" "no iteration was lost"
is "$(asked)" 3 "nothing was asked twice"
model_end
no_leftovers "nothing goes on"
done_testing
