#!/usr/bin/env bash
# Somebody attaches to claude while it works, types, and is heard.
. "$(dirname "$0")/lib.sh"

echo 'Do the next task. When none is left, print: All tasks complete' >prompt
model '[
	{"text": "I begin.", "tools": [{"name": "Bash", "input": {"command": "echo one >work.txt", "description": "Begin"}}]},
	{"wait": "'"$PWD"'/go", "tools": [{"name": "Bash", "input": {"command": "echo two >>work.txt", "description": "Go on"}}]},
	{"text": "I heard that. All tasks complete"}
]'
run "${loop[@]}" watched --detach --max-iterations 2 --done-pattern 'All tasks complete' -- claude --dangerously-skip-permissions
exit_is 0 "the loop runs in the background"
wait_for 30 asked_times 2

tmux() {
	command tmux -L watch -f /dev/null "$@"
}
shows() {
	tmux capture-pane -p -t view 2>/dev/null | grep -qE -e "$1"
}
viewer_gone() {
	! tmux has-session -t view 2>/dev/null
}
tmux new-session -d -s view -x 100 -y 30 "'$RALPH' attach watched"
wait_for 10 shows 'I begin'
pass "the screen is there"
tmux send-keys -t view 'Please be careful with "quotes" ✓'
wait_for 10 shows '❯.*careful with "quotes" ✓'
pass "what is typed is seen"
tmux send-keys -t view Enter
wait_for 10 shows '^ +❯ +Please be careful|^❯[[:space:]]*$|queued'
touch go
run "$RALPH" wait watched
exit_is 0 "the agent finishes"
ok "it was told what was typed" told 2 'Please be careful with "quotes" ✓'
is "$(cat work.txt)" "one
two" "and did its work"
wait_for 10 viewer_gone
pass "the viewer leaves when the loop is over"
tmux kill-server 2>/dev/null
model_end
no_leftovers "nothing goes on"
done_testing
