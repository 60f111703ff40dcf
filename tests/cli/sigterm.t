#!/usr/bin/env bash
# SIGTERM lets the agent finish and leaves the loop paused; a second one ends the agent's tree.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
loop_pid=$bg
wait_for 20 test -s starts
kill -TERM "$loop_pid"
wait_for 20 said "$T/bg.$loop_pid.out" 'received SIGTERM, pausing loop \(current agent will complete\)'
not_ok "the agent goes on" gone "$(agent_of agent)"
touch go
end_bg 20 "$loop_pid"
exit_is 143 "then the program leaves as one that was terminated"
like "$out" 'iteration 1 completed' "the agent has finished"
is "$(wc -l <starts)" 1 "no other was started"
is "$(field agent .status)" paused "the loop is paused"
run "$RALPH" status agent
like "$out" 'Status: paused \(go on with: ralph resume agent\)' "status says what to type"
run "$RALPH" resume --foreground agent
exit_is 0 "resume goes on"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "where it was"

run_bg "${loop[@]}" two --max-iterations 3 -- "$AGENT" -e 'fork-daemon daemon; wait-file daemon; touch two; hang'
wait_for 20 test -e two
agent=$(agent_of two)
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM'
kill -TERM "$bg"
end_bg 20 "$bg"
exit_is 143 "a second one does not wait"
ok "the agent's tree is gone" gone "$agent" "$(cat daemon)"
is "$(field two '[.status, .exit_reason] | join(" ")')" "stopped terminated" "the loop is stopped"

run_bg "${loop[@]}" idle --max-iterations 3 --delay 10m -- "$AGENT" -e 'println x'
wait_for 20 field_is idle '.hold_until != null' true
kill -TERM "$bg"
end_bg 20 "$bg"
exit_is 143 "between two agents it leaves at once"
no_leftovers "nothing goes on"
done_testing
