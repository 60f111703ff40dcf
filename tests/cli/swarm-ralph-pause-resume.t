#!/usr/bin/env bash
# Scenarios: pause ralph loop, resume paused ralph loop; W9: control messages are not lost.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
"$SWARM" spawn --name plain -- sleep 600 >said
for action in pause resume run stop; do
	run "$SWARM" ralph "$action" plain
	exit_is 1 "$action of a worker that is none of ralph's"
	is "$err" "swarm: error: worker 'plain' is not a ralph worker" "says so"
	run "$SWARM" ralph "$action" nobody
	exit_is 1 "$action of nobody"
	is "$err" "swarm: error: worker 'nobody' not found" "says so"
done

# shellcheck disable=SC2016
run_bg "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 10 -- \
	"$AGENT" -e 'count starts; wait-file go; sh rm go'
wait_for 20 test -s starts
run "$SWARM" ralph resume agent
exit_is 0 "resume of a loop that is not paused"
is "$out$err" "swarm: warning: worker 'agent' is not paused" "is warned about"
run "$SWARM" ralph pause agent
exit_is 0 "a loop is paused"
is "$out$err" "paused ralph loop for agent" "it says so"
is "$(jq -r .status "$RALPH_HOME/ralph/agent/state.json")" paused "the state is paused"
not_ok "the agent continues running" gone "$(agent_of agent)"
is "$("$SWARM" ls --format json | jq -r '.[] | select(.name == "agent") | .status')" running "as ls says"
run "$SWARM" ralph pause agent
exit_is 0 "pause of what is paused"
is "$out$err" "swarm: warning: worker 'agent' is already paused" "is warned about"
touch go
wait_for 20 field_is agent '.sessions | length' 0
wait_for 20 said "$T/bg.$bg.out" 'iteration 1 completed'
is "$(wc -l <starts)" 1 "when the agent exits, the loop does not restart"
run "$SWARM" ralph run agent
exit_is 1 "a paused loop that has a supervisor needs no other"
is "$err" "swarm: error: ralph loop for 'agent' is paused (use 'swarm ralph resume agent' first)" "it says what to do"

run "$SWARM" ralph resume agent
exit_is 0 "it is resumed"
is "$out$err" "resumed ralph loop for agent" "it says so"
wait_for 20 said starts . 2
is "$(jq -r '"\(.status) \(.current_iteration)"' "$RALPH_HOME/ralph/agent/state.json")" "running 2" "with the next iteration"
ok "as the console says" said "$T/bg.$bg.out" '^\[ralph\] agent: starting iteration 2/10$'
run "$SWARM" ralph run agent
exit_is 1 "W24: a second loop for one name is refused"
like "$err" "^swarm: error: loop 'agent' is already running \(pid $bg\)" "and told who has it"

# SIGTERM lets the agent complete and leaves the loop paused; resume goes on in the background.
kill -TERM "$bg"
wait_for 20 said "$RALPH_HOME/ralph/agent/iterations.log" '\[PAUSE\] loop paused reason=sigterm'
touch go
end_bg 20 "$bg"
exit_is 143 "SIGTERM pauses the loop"
is "$(jq -r '"\(.status) \(.current_iteration)"' "$RALPH_HOME/ralph/agent/state.json")" "paused 2" "after the agent is done"
run "$SWARM" ralph resume agent
is "$out$err" "resumed ralph loop for agent" "it can be resumed"
wait_for 20 said starts . 3
run "$SWARM" ralph stop agent
exit_is 0 "ralph stop ends it"
is "$out$err" "killed agent" "as kill does"
run "$SWARM" ralph run agent
exit_is 1 "what was stopped is not run"
is "$err" "swarm: error: ralph loop for 'agent' has status 'stopped'" "it says so"

"$SWARM" spawn --name complete --ralph --prompt-file PROMPT.md --max-iterations 1 -- "$AGENT" -e 'println x' >said
run "$SWARM" ralph resume complete
exit_is 0 "resume of what is complete"
is "$out$err" "swarm: warning: worker 'complete' is not paused" "is warned about"
"$SWARM" kill --all >said
no_leftovers "nothing goes on"
done_testing
