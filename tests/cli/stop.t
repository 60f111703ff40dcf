#!/usr/bin/env bash
# ralph stop ends the agent's tree and the loop, and returns when nothing of it is left.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
hanging=(--max-iterations 5 -- "$AGENT" -e 'count starts; fork-child child; wait-file child; fork-daemon daemon; hang')
run_bg "${loop[@]}" agent "${hanging[@]}"
loop_pid=$bg
wait_for 20 test -s daemon
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
run "$RALPH" stop agent
exit_is 0 "it succeeds"
is "$out" "stopped ralph loop for agent" "and says so"
ok "nothing of the agent is left" gone "$agent" "$(cat child)" "$(cat daemon)"
end_bg 20 "$loop_pid"
exit_is 3 "the loop was stopped before it was complete"
is "$(field agent '[.status, .exit_reason, .total_failures] | join(" ")')" "stopped stopped 0" "which is no failure"
run "$RALPH" stop agent
exit_is 0 "to stop it again is no error"
is "$err" "ralph: warning: worker 'agent' is not running (stopped)" "but warned about"

# What a supervisor that was killed left behind.
rm -f starts child daemon
run_bg "${loop[@]}" crashed "${hanging[@]}"
wait_for 20 test -s daemon
wait_for 20 field_is crashed '.sessions[0].pid != null' true
agent=$(agent_of crashed)
crash "$bg"
not_ok "an agent outlives its supervisor" gone "$agent"
run "$RALPH" stop crashed
exit_is 0 "stop finds it"
ok "and ends it" gone "$agent" "$(cat child)" "$(cat daemon)"
is "$(field crashed .status)" stopped "the loop is stopped"

# Killed between two agents, with a prompt that is gone.
wait_is_over() {
	(($(date -d "$(field between .hold_until)" +%s%N) < $(date +%s%N)))
}
run_bg "${loop[@]}" between --delay 1ms --max-iterations 4 -- "$AGENT" -e 'exit 1'
wait_for 60 said "$T/bg.$bg.out" 'retrying in 4s'
crash "$bg"
wait_for 20 wait_is_over
rm prompt
run "$RALPH" stop between
exit_is 0 "a loop that was killed between two agents can be stopped, whatever became of its prompt"
is "$err" "" "without complaints"
is "$(field between '[.status, .iteration] | join(" ")')" "stopped 3" "and nothing was started for it"
no_leftovers "nothing goes on"
done_testing
