#!/usr/bin/env bash
# swarm kill ends the worker's whole tree and its loop (W8, W15, W26), and keeps the record.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
run "$SWARM" spawn --name job -- "$AGENT" -e 'ignore HUP; fork-child child; fork-daemon daemon; hang'
wait_for 20 test -s daemon
pid=$(sed 's/.*pid: //; s/)//' <<<"$out")
run "$SWARM" kill job
exit_is 0 "a plain worker is killed"
is "$out$err" "killed job" "it says so"
ok "with all it started" gone "$pid" "$(cat child)" "$(cat daemon)"
is "$(jq -r '.workers[] | "\(.name) \(.status)"' "$RALPH_HOME/state.json")" "job stopped" "its record is kept"
run "$SWARM" kill job
exit_is 0 "killing a stopped worker succeeds"
is "$out$err" "swarm: warning: worker 'job' is not running" "and says that there was nothing to kill"

run_bg "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 5 -- "$AGENT" -e 'count starts; hang'
wait_for 20 test -s starts
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
run "$SWARM" kill agent
is "$out$err" "killed agent" "a loop is killed from another terminal"
ok "its agent is gone" gone "$agent"
end_bg 20 "$bg"
exit_is 3 "and the loop, which was not complete"
is "$(wc -l <starts)" 1 "no other agent is started"
is "$(jq -r '"\(.status) \(.exit_reason)"' "$RALPH_HOME/ralph/agent/state.json")" "stopped killed" "the state says so"
like "$(tail -n 1 "$RALPH_HOME/ralph/agent/iterations.log")" '\[DONE\] loop complete after 1 iterations reason=killed$' "the log, too"
is "$("$SWARM" ls --format json | jq -c '.[] | select(.name == "agent") | [.status, .metadata]')" \
	'["stopped",{"ralph":true,"ralph_iteration":1}]' "ls shows it"

# W12: a worker that is spawned while another one is being killed is not forgotten.
run "$SWARM" spawn --name stubborn --grace 1s -- "$AGENT" -e 'ignore TERM; touch stubborn; hang'
wait_for 20 test -e stubborn
run_bg "$SWARM" kill stubborn
run "$SWARM" spawn --name meanwhile -- sleep 600
end_bg 20 "$bg"
exit_is 0 "who ignores SIGTERM is killed, too"
is "$(jq -r '.workers[] | select(.status == "running") | .name' "$RALPH_HOME/state.json")" meanwhile "the other one is registered"

# After a crash of the supervisor.
run_bg "$SWARM" spawn --name crashed --ralph --prompt-file PROMPT.md --max-iterations 5 -- "$AGENT" -e 'touch crashed; hang'
wait_for 20 test -e crashed
wait_for 20 field_is crashed '.sessions[0].pid != null' true
agent=$(agent_of crashed)
crash "$bg"
run "$SWARM" kill crashed
exit_is 0 "a worker whose supervisor crashed"
is "$out$err" "killed crashed" "needs no more words"
like "$(tail -n 1 "$RALPH_HOME/ralph/crashed/iterations.log")" 'reason=killed$' "and was killed, too"
ok "is killed as well" gone "$agent"

run "$SWARM" kill
exit_is 1 "kill whom?"
is "$err" "swarm: error: must specify worker name or --all" "it asks"
run "$SWARM" kill nobody
exit_is 1 "nobody"
is "$err" "swarm: error: worker 'nobody' not found" "is not found"
run "$SWARM" kill --all
exit_is 0 "--all"
is "$("$SWARM" ls --format names --status running)" "" "leaves none"
is "$("$SWARM" ls --format names | sort | xargs)" "agent crashed job meanwhile stubborn" "and forgets none"

# Edge case: a killed name is free for a loop with other limits.
run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 2 -- "$AGENT" -e 'println new'
exit_is 0 "want to change max-iterations: pause, kill, spawn again"
is "$(jq -r '"\(.max_iterations) \(.current_iteration)"' "$RALPH_HOME/ralph/agent/state.json")" "2 2" "with the new value"
no_leftovers "nothing goes on"
done_testing
