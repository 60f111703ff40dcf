#!/usr/bin/env bash
# ralph attach shows the agent's live terminal, and what is typed reaches the agent.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "hello from iteration $RALPH_ITERATION"
sh read -r line; echo "heard: $line"
sh stty size >size
touch sized.1
wait-file resized
sh stty size >size
touch sized.2
colour in colour
wait-file next
SCRIPT

# view SESSION ROWS COLUMNS: a terminal of that size with an attach in it
view() {
	local command
	command=$(printf '%q attach agent' "$RALPH")
	tmux -f /dev/null new-session -d -s "$1" -y "$2" -x "$3" "$command; echo code \$?; exec cat"
}

window_is() {
	[[ $(stty size <"/proc/$(agent_of agent)/fd/0") == "$*" ]]
}

shows() {
	tmux capture-pane -p -J -t "$1" | grep -qE -e "$2"
}

run_bg "${loop[@]}" agent --pty --prompt-via arg --inactivity-timeout 100 --max-iterations 2 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 field_is agent '.sessions[0].pid != null' true
run "$RALPH" attach agent
exit_is 1 "it needs a terminal"
is "$err" "ralph: error: attach needs a terminal; 'ralph logs -f agent' works without one" "and says what does not"

view one 30 100
wait_for 20 shows one 'hello from iteration 1' && pass "it shows what was there before"
wait_for 20 shows one 'attached to agent: Ctrl-\\ detaches' && pass "and how to get out"
tmux send-keys -t one 'some words' Enter
wait_for 20 shows one 'heard: some words' && pass "what is typed reaches the agent"
wait_for 20 test -e sized.1
is "$(cat size)" "30 100" "whose window is as large as ours"
view two 20 70
wait_for 20 shows two 'heard: some words' && pass "another terminal sees the same"
tmux resize-window -t two -y 25 -x 90
wait_for 20 window_is 25 90
touch resized
wait_for 20 test -e sized.2
is "$(cat size)" "25 90" "the last one to change gives the size"
wait_for 20 shows one 'in colour' && wait_for 20 shows two 'in colour' && pass "both go on"
ok "in colour, too" grep -q "$(printf '\033\\[[0-9;]*32m')in colour" <(tmux capture-pane -p -e -t two)

tmux send-keys -t two C-\\
wait_for 20 shows two 'code 0' && pass "the detach key leaves"
ok "with a word about it" shows two '\[detached from agent; it goes on\]'
not_ok "and the agent stays" gone "$(agent_of agent)"
ok "with the other viewer" shows one 'in colour'

rm resized sized.1 sized.2
touch next
wait_for 20 shows one 'hello from iteration 2' && pass "a viewer stays for the next agent"
tmux send-keys -t one 'more' Enter
wait_for 20 shows one 'heard: more' && pass "and can type to it"
touch resized
wait_for 20 shows one 'code 0' && pass "it ends with the loop"
ok "and says how that stands" shows one '\[agent: complete\]'
end_bg 20 "$loop_pid"
exit_is 0 "which was not disturbed"
run script -qec "$(printf '%q attach agent' "$RALPH")" /dev/null
like "$status $out" "^1 ralph: error: nothing to attach to: 'agent' is complete" "then there is nothing to attach to"

# An agent on pipes has no terminal; its words can be watched all the same.
run_bg "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'println plain words; wait-file finish'
wait_for 20 field_is agent '.sessions[0].pid != null' true
view three 24 80
wait_for 20 shows three 'plain words' && pass "an agent on pipes can be watched, too"
touch finish
wait_for 20 shows three 'code 0'
end_bg 20 "$bg"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
