#!/usr/bin/env bash
# swarm status tells whether a worker runs, also by its exit code.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" status agent
exit_is 2 "a worker that is not there"
is "$err" "swarm: error: worker 'agent' not found" "is said"
run "$SWARM" status ../agent
exit_is 2 "what cannot be a name"
is "$err" "swarm: error: worker '../agent' not found" "names nobody"
run "$SWARM" status
exit_is 2 "a missing name is a usage error"

"${loop[@]}" agent --detach --max-iterations 5 -- "$AGENT" -e 'hang' >agent.out
wait_for 20 field_is agent '.sessions[0].pid != null' true
pid=$(agent_of agent)
run "$SWARM" status agent
exit_is 0 "one that runs"
like "$out" "^agent: running \\(pid $pid, uptime [0-9]+s\\)\$" "is told with its pid and its age"

# The supervisor dies: the agent goes on, and that is what counts.
crash "$(supervisor_of agent)"
run "$SWARM" status agent
exit_is 0 "an agent without its supervisor still runs"
like "$out" "^agent: running \\(pid $pid, " "and is told as such"
is "$err" "swarm: warning: the loop of 'agent' was left by its supervisor; go on with: swarm ralph resume agent" \
	"but somebody should look after it"
keeper=$(keeper_of agent)
crash "$keeper"
kill -KILL "$pid"
wait_for 20 gone "$pid"
run "$SWARM" status agent
exit_is 1 "after a crash of all, it is stopped"
like "$out" "^agent: stopped \\(pid $pid, uptime [0-9]+s\\)\$" "and never said to run"
like "$err" "go on with: swarm ralph resume agent\$" "with what to type"
"$RALPH" stop agent >stopped
run "$SWARM" status agent
exit_is 1 "one that was stopped"
is "$err" "" "needs nobody's help"

"${loop[@]}" agent2 --max-iterations 1 -- "$AGENT" -e 'println x' >agent2.out
run "$SWARM" status agent2
exit_is 1 "one that has ended"
like "$out" "^agent2: stopped \\(pid [0-9]+, uptime [0-9]+s\\)\$" "keeps its pid"
run "$SWARM" status agen
exit_is 2 "the beginning of a name is not a name"
no_leftovers "nothing goes on"
done_testing
