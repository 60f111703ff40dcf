#!/usr/bin/env bash
# ralph logs -f prints as the agents write, through all iterations, until the loop is over.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "iteration $RALPH_ITERATION begins"
when-iteration 1 wait-file go1
when-iteration 2 wait-file go2
sh echo "iteration $RALPH_ITERATION ends"
SCRIPT
run_bg "${loop[@]}" agent --max-iterations 2 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 said "$T/bg.$loop_pid.out" 'starting iteration 1/2'
wait_for 20 field_is agent '.sessions[0].pid != null' true
run_bg "$RALPH" logs -f agent
follower=$bg
wait_for 20 said "$T/bg.$follower.out" 'iteration 1 begins'
touch go1
wait_for 20 said "$T/bg.$follower.out" 'iteration 2 begins'
touch go2
end_bg 20 "$follower"
exit_is 0 "it ends with the loop"
is "$out" "iteration 1 begins
iteration 1 ends
iteration 2 begins
iteration 2 ends" "and everything was printed once"
end_bg 20 "$loop_pid"
run "$RALPH" logs -f agent
is "$out" "iteration 2 begins
iteration 2 ends" "of a loop that is over, it prints what is there"

# A keeper that is killed writes no end; the next session follows all the same.
rm go1 go2
run_bg "${loop[@]}" broken --max-iterations 2 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 field_is broken '.sessions[0].pid != null' true
run_bg "$RALPH" logs -f broken
follower=$bg
wait_for 20 said "$T/bg.$follower.out" 'iteration 1 begins'
crash "$(keeper_of broken)"
wait_for 20 said "$T/bg.$follower.out" 'iteration 2 begins'
touch go2
end_bg 20 "$follower"
exit_is 0 "a session that was lost is followed by the next"
end_bg 20 "$loop_pid"

# And with the supervisor gone, too, there is nothing to wait for.
rm go2
run_bg "${loop[@]}" dead --max-iterations 1 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 field_is dead '.sessions[0].pid != null' true
run_bg "$RALPH" logs -f dead
follower=$bg
wait_for 20 said "$T/bg.$follower.out" 'iteration 1 begins'
keeper=$(keeper_of dead)
crash "$loop_pid" "$keeper"
end_bg 20 "$follower"
exit_is 0 "it also ends when keeper and supervisor are gone"
run timeout 90 "$RALPH" logs -f dead
exit_is 0 "and does not wait for the dead"
is "$out" "iteration 1 begins" "but prints what they left"
no_leftovers "nothing goes on"
done_testing
