#!/usr/bin/env bash
# SIGTERM waits for the agent, but not for ever: --term-wait.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
hang='when-iteration 1 fork-daemon %s.daemon; when-iteration 1 touch %s; when-iteration 1 hang'
run_bg "${loop[@]}" agent --term-wait 2s --max-iterations 2 --on-alert 'jq -r .text >>alerts' -- \
	"$AGENT" -e "${hang//%s/agent}"
wait_for 20 test -e agent
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM, pausing loop \(current agent will complete\)'
end_bg 30 "$bg"
exit_is 143 "an agent that does not finish is not waited for longer than was said"
ok "its tree is gone" gone "$agent" "$(<agent.daemon)"
wait_for 20 test -s alerts
is "$(<alerts)" "the agent has not finished within 2 s of SIGTERM; it is ended" "the user is told"
is "$(field agent .status)" paused "the loop is paused"
run "$RALPH" resume --foreground agent
exit_is 0 "and goes on when it is told to"

# One that finishes in time is let finish.
run_bg "${loop[@]}" quick --term-wait 60s --max-iterations 2 -- "$AGENT" -e 'touch quick; wait-file quick.go'
wait_for 20 test -e quick
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM'
touch quick.go
end_bg 20 "$bg"
like "$out" 'iteration 1 completed' "one that finishes in time does so"

# The supervisor is killed while it waits; the next one waits no longer.
run_bg "${loop[@]}" crashed --term-wait 2s --max-iterations 2 -- "$AGENT" -e "${hang//%s/crashed}"
wait_for 20 test -e crashed
wait_for 20 field_is crashed '.sessions[0].pid != null' true
agent=$(agent_of crashed)
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM'
crash "$bg"
not_ok "a supervisor that is killed does not take the agent along" gone "$agent"
run_bg "$RALPH" resume --foreground crashed
wait_for 20 said "$T/bg.$bg.out" 'resumed'
kill -TERM "$bg"
end_bg 30 "$bg"
exit_is 143 "the supervisor after it keeps the time, too"
ok "the agent is gone" gone "$agent" "$(<crashed.daemon)"

# What is not said is ten minutes; a worker of swarm is waited for without end.
run "${loop[@]}" usual --max-iterations 1 -- true
is "$(jq '[.. | .term_wait? // empty][0]' "$RALPH_HOME/loops/usual/spec.json")" 600000000000 "it is ten minutes where nobody says"
run "$SWARM" spawn --name worker --term-wait 1s -- true
exit_is 2 "swarm has no such limit"
no_leftovers "nothing goes on"
done_testing
