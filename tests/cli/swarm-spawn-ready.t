#!/usr/bin/env bash
# swarm spawn --ready-wait returns when the agent is ready, when the time is up, or when the agent is gone.
. "$(dirname "$0")/../cli/lib.sh"

run_bg "$SWARM" spawn --name slow --tmux --ready-wait --ready-pattern '^at your service' -- \
	"$AGENT" -e 'println loading; touch loading; wait-file go; println at your service; hang'
wait_for 20 test -e loading
is "$(cat "$T/bg.$bg.out")" "" "it waits"
touch go
end_bg 20 "$bg"
exit_is 0 "until the agent is ready"
is "$out$err" "spawned slow (tmux: swarm:slow)" "and says so then"
run "$SWARM" spawn --name never --tmux --ready-wait --ready-timeout 1 --ready-pattern nothing -- "$AGENT" -e 'spinner 60000'
exit_is 0 "an agent that is never ready is no failure"
is "$err" "swarm: warning: agent 'never' did not become ready within 1s" "but warned about"
is "$out" "spawned never (tmux: swarm:never)" "it was spawned"
run "$SWARM" spawn --name gone --tmux --ready-wait --ready-pattern nothing -- "$AGENT" -e 'println my last words; exit 3'
is "$err" "swarm: warning: agent 'gone' ended before it was ready" "one that dies is not waited for"
run "$SWARM" logs gone
like "$out" 'my last words' "what it said can be read"
run "$SWARM" spawn --name plain --ready-wait -- sleep 600
like "$out" '^spawned plain \(pid: ' "who has no terminal is not waited for"
"$SWARM" kill --all >said
no_leftovers "nothing goes on"
done_testing
