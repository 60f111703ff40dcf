#!/usr/bin/env bash
# swarm logs --follow streams what a worker writes, through all its iterations.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "iteration $RALPH_ITERATION begins"
when-iteration 1 wait-file go1
when-iteration 2 wait-file go2
sh echo "iteration $RALPH_ITERATION ends"
SCRIPT
"${loop[@]}" agent --detach --max-iterations 2 -- "$AGENT" agent.txt >agent.out
wait_for 20 field_is agent '.sessions[0].pid != null' true
run_bg "$SWARM" logs agent --follow
follower=$bg
wait_for 20 said "$T/bg.$follower.out" 'iteration 1 begins' && pass "it prints what is there"
touch go1
wait_for 20 said "$T/bg.$follower.out" 'iteration 2 begins' && pass "and what comes, across iterations"
run_bg "$SWARM" logs agent --follow
wait_for 20 said "$T/bg.$bg.out" 'iteration 2 begins'
kill -INT "$bg"
end_bg 20 "$bg"
exit_is 0 "Ctrl-C leaves, and that is no failure"
touch go2
end_bg 20 "$follower"
exit_is 0 "it ends with the worker"
is "$out" "iteration 1 begins
iteration 1 ends
iteration 2 begins
iteration 2 ends" "and everything was printed once"
no_leftovers "nothing goes on"
done_testing
