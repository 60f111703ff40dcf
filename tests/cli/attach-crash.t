#!/usr/bin/env bash
# A viewer that is stopped or killed costs the agent nothing, and one outlives the supervisor.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
println here
wait-file flood
flood 20000000 a line of text that goes on and on
touch flooded
wait-file finish
SCRIPT
shows() {
	tmux capture-pane -p -J -t "$1" | grep -qE -e "$2"
}

run_bg "${loop[@]}" agent --pty --prompt-via arg --max-iterations 1 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 field_is agent '.sessions[0].pid != null' true
command=$(printf '%q attach agent' "$RALPH")
tmux -f /dev/null new-session -d -s stopped -y 24 -x 80 "echo \$\$ >stopped.pid; exec $command"
tmux -f /dev/null new-session -d -s watching -y 24 -x 80 "$command; echo code \$?; exec cat"
wait_for 20 shows stopped 'here'
wait_for 20 shows watching 'here'
kill -STOP "$(cat stopped.pid)"
touch flood
wait_for 60 test -e flooded && pass "a viewer that does not read does not hold up the agent"
kill -KILL "$(cat stopped.pid)"
crash "$loop_pid"
agent=$(agent_of agent)
not_ok "the agent outlives its supervisor" gone "$agent"
not_ok "and the viewer, too" shows watching 'code'
touch finish
wait_for 20 shows watching 'code 0' && pass "until the agent ends"
ok "it says that the loop needs help" shows watching 'its supervisor is gone; go on with: ralph resume agent'
run "$RALPH" resume --foreground agent
exit_is 0 "which can be given"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
