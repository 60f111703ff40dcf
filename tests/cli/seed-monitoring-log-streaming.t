#!/usr/bin/env bash
# Human monitoring: Log Streaming.
. "$(dirname "$0")/../cli/seed.sh"

# shellcheck disable=SC2016 # the agent's shell expands it
echo 'count starts; sh echo "tool call of $RALPH_ITERATION"; wait-file go; sh rm go' >claude.txt
run swarm spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
wait_for 20 agents 1
run_bg swarm logs agent --follow
follow=$bg
run_bg tail -n +1 -f ~/.swarm/ralph/agent/iterations.log
tail=$bg
wait_for 20 said "$T/bg.$follow.out" 'tool call of 1' && pass "--follow streams what the agent shows"
next_agent
wait_for 20 said "$T/bg.$follow.out" 'tool call of 2' && pass "and the next one"
next_agent
wait_for 20 agents 3
next_agent
end_bg 20 "$follow"
exit_is 0 "it ends with the loop"
like "$out" 'tool call of 3' "after everything was shown"
wait_for 20 said "$T/bg.$tail.out" 'DONE'
kill "$tail"
end_bg 20 "$tail"
time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}'
like "$out" "^$time \\[START\\] iteration 1/3
$time \\[END\\] iteration 1 exit=0 duration=[0-9]+s
$time \\[START\\] iteration 2/3
$time \\[END\\] iteration 2 exit=0 duration=[0-9]+s
$time \\[START\\] iteration 3/3
$time \\[END\\] iteration 3 exit=0 duration=[0-9]+s
$time \\[DONE\\] loop complete after 3 iterations reason=max_iterations\$" "tail -f of iterations.log shows the documented lines"
no_leftovers "nothing goes on"
done_testing
