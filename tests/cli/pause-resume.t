#!/usr/bin/env bash
# A paused loop lets its agent finish and starts no new one until it is resumed.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
count starts
when-iteration 1 wait-file go
SCRIPT
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 test -s starts
run "$RALPH" pause agent
exit_is 0 "pause succeeds"
is "$out" "paused ralph loop for agent" "and says so"
is "$(field agent .status)" paused "the loop is paused"
is "$(jq -r .status "$RALPH_HOME/ralph/agent/state.json")" paused "as state.json says"
not_ok "its agent goes on" gone "$(agent_of agent)"
run "$RALPH" pause agent
exit_is 0 "to pause it again is no error"
is "$err" "ralph: warning: worker 'agent' is already paused" "but warned about"

touch go
wait_for 20 said "$T/bg.$loop_pid.out" 'iteration 1 completed'
wait_for 20 field_is agent '.sessions | length' 0
is "$(wc -l <starts)" 1 "no new agent was started"
not_ok "the supervisor waits" gone "$loop_pid"
run "$RALPH" resume agent
exit_is 0 "resume succeeds"
is "$out" "resumed ralph loop for agent" "and says so"
end_bg 20 "$loop_pid"
exit_is 0 "the loop comes to its end"
is "$(spans "$out")" "[ralph] agent: starting iteration 1/3
[ralph] agent: pausing (the current agent will finish)
[ralph] agent: iteration 1 completed (exit: 0, duration: T)
[ralph] agent: resumed
[ralph] agent: starting iteration 2/3
[ralph] agent: iteration 2 completed (exit: 0, duration: T)
[ralph] agent: starting iteration 3/3
[ralph] agent: iteration 3 completed (exit: 0, duration: T)
[ralph] agent: 3 iterations done" "and the count went on"

run "$RALPH" resume agent
exit_is 0 "to resume what is complete is no error"
is "$err" "ralph: warning: worker 'agent' is not paused (it is complete: max_iterations)" "but warned about"
run "$RALPH" pause agent
is "$err" "ralph: warning: worker 'agent' is not running (stopped)" "as is to pause it"

rm go
run_bg "${loop[@]}" running --max-iterations 1 -- "$AGENT" -e 'touch here; wait-file go'
wait_for 20 test -e here
run "$RALPH" resume running
is "$err" "ralph: warning: worker 'running' is not paused" "and to resume what runs"
touch go
end_bg 20 "$bg"
exit_is 0 "which just goes on"
for verb in pause resume stop status logs wait; do
	run "$RALPH" "$verb" nobody
	is "$status $err" "1 ralph: error: no loop named 'nobody' (ralph ls shows those there are)" "$verb: an unknown name is an error"
done
no_leftovers "nothing goes on"
done_testing
