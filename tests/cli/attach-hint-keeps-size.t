#!/usr/bin/env bash
# The hint of one viewer goes away without taking the size that another viewer gave the window since.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
window_is() {
	[[ $(stty size <"/proc/$(agent_of agent)/fd/0") == "$*" ]]
}
hinted() {
	tmux capture-pane -p -J -t "$1" | grep -q 'attached to agent: Ctrl'
}
unhinted() {
	! hinted "$1"
}
view() {
	tmux -f /dev/null new-session -d -s "$1" -y "$2" -x "$3" "$(printf '%q attach agent' "$RALPH"); exec cat"
}

run_bg "${loop[@]}" agent --pty --prompt-via arg --max-iterations 1 -- sh -c 'trap "stty size >>sizes" WINCH; while :; do sleep 0.1; done'
loop_pid=$bg
wait_for 20 field_is agent '.sessions[0].pid != null' true
view one 30 100
wait_for 20 hinted one && pass "a viewer is told how to leave"
view two 20 70
wait_for 20 window_is 20 70 && pass "the next one gives the window its size"
# A third one of that size tells when the time of the first one's hint, which a new size has painted over, is up.
view three 20 70
wait_for 20 hinted three
wait_for 20 unhinted three && pass "hints go away"
is "$(sed -n '/^20 70$/,$p' sizes)" "20 70" "and the window stays as the last one had it"
tmux kill-server
run "$RALPH" stop agent
end_bg 30 "$loop_pid"
no_leftovers "nothing goes on"
done_testing
