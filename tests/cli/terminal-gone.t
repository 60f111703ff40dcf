#!/usr/bin/env bash
# A loop does not depend on who watches: the terminal may close, be stopped, or nobody may read.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
in_terminal() {
	tmux -f /dev/null new-session -d -s "$1" -x 120 -y 40 "$(printf '%q ' "${@:2}"); exec cat"
}

in_terminal closed "${loop[@]}" closed --max-iterations 2 -- "$AGENT" -e 'count closed; wait-file go'
wait_for 20 test -s closed
tmux kill-session -t closed
touch go
wait_for 20 field_is closed .status stopped
is "$(field closed '[.status, .exit_reason, .iteration] | join(" ")')" "stopped max_iterations 2" "a terminal that closes does not end the loop"

# Ctrl-S.
rm go
in_terminal stopped "${loop[@]}" stopped --max-iterations 3 -- "$AGENT" -e 'count stopped; wait-file go'
wait_for 20 test -s stopped
tmux send-keys -t stopped C-s
supervisor=$(supervisor_of stopped)
touch go
wait_for 20 field_is stopped '.exit_reason' max_iterations
is "$(field stopped '[.status, .iteration] | join(" ")')" "stopped 3" "nor does one that was stopped with Ctrl-S hold it up"
tmux kill-server
wait_for 20 gone "$supervisor" && pass "its supervisor is gone with its loop"

# Their shells end at the same moment, and each sends its viewer a second hangup.
rm go
"${loop[@]}" watched --pty --max-iterations 1 --detach -- "$AGENT" -e 'println here; wait-file go' >/dev/null
for viewer in 1 2 3 4 5 6 7 8; do
	in_terminal "viewer$viewer" "$RALPH" attach watched
done
shows_here() { tmux capture-pane -p -t "$1" | grep -q here; }
for viewer in 1 2 3 4 5 6 7 8; do
	wait_for 60 shows_here "viewer$viewer"
done
tmux kill-server
viewers_gone() { ! pgrep -f -- "^$RALPH attach watched" >/dev/null; }
wait_for 60 viewers_gone && pass "viewers go with their terminals"
is "$(field watched .status)" running "the loop does not"
touch go
wait_for 20 field_is watched .status stopped

"${loop[@]}" unread --max-iterations 3 -- "$AGENT" -e 'println x' | head -n 1 >first
is "$(cat first)" "[ralph] unread: starting iteration 1/3" "a reader may leave early"
is "$(field unread .iteration)" 3 "the loop goes on"
run bash -c '"$@" >&- 2>&- <&-' bash "${loop[@]}" none --max-iterations 2 -- "$AGENT" -e 'fds fds'
exit_is 0 "nor need there be any stdin, stdout or stderr"
is "$(cut -d ' ' -f 1 fds | head -n 3 | xargs)" "0 1 2" "the agent has them all the same"
no_leftovers "nothing goes on"
done_testing
