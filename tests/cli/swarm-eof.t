#!/usr/bin/env bash
# swarm eof presses Ctrl-D: the end of what is typed.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" eof nobody
is "$status $err" "1 swarm: error: worker 'nobody' not found" "it must be somebody's"
run "$SWARM" eof
exit_is 2 "a missing name is a usage error"
run "$SWARM" eof --all
exit_is 2 "there is no --all"
"${loop[@]}" agent --detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- \
	bash -c 'echo ready; cat >got; touch over' >agent.out
is_ready() {
	[[ $("$SWARM" peek agent 2>/dev/null) == ready ]]
}
wait_for 20 is_ready
run "$SWARM" send agent words
run "$SWARM" eof agent
is "$status $out" "0 sent eof to agent" "it says so"
wait_for 20 test -e over && pass "the agent's input has ended"
is "$(cat got)" words "after what was typed"
run "$SWARM" wait --timeout 90 agent
run "$RALPH" eof agent
is "$status $err" "1 ralph: error: worker 'agent' is not running" "ralph eof is the same; somebody must run"
no_leftovers "nothing goes on"
done_testing
