#!/usr/bin/env bash
# Inside tmux, attach switches the client, also when the worker is in another session; no tmux in tmux.
. "$(dirname "$0")/../cli/seed.sh"

server() {
	tmux -L outer -f /dev/null "$@"
}
shows() {
	server capture-pane -p | grep -qE -e "$1"
}
looks_at() {
	[[ $(tmux list-clients -F '#{session_name}:#{window_name}') == "$1" ]]
}
swarm spawn --name agent --tmux -- "$AGENT" -e 'println here I am; hang' >said
swarm spawn --name other --tmux -- "$AGENT" -e 'hang' >said
wait_for 20 windows_are "swarm:agent swarm:other"
tmux new-session -d -s mine -n shell
server new-session -d -x 100 -y 30 'env -u TMUX tmux attach -t =mine'
wait_for 20 looks_at mine:shell
# shellcheck disable=SC2016 # the shell in the window expands it
tmux send-keys -t =mine: "$SWARM attach agent; "'echo "code $?" >attached' Enter
wait_for 20 looks_at swarm:agent && pass "the client shows the worker's window"
wait_for 20 shows 'here I am' && pass "with what it says"
wait_for 20 test -s attached
is "$(cat attached)" "code 0" "the command has done its work"
is "$(tmux list-clients | wc -l)" 1 "there is no client in a client"
tmux switch-client -c "$(tmux list-clients -F '#{client_name}')" -t =mine:
swarm kill agent >said
wait_for 20 looks_at mine:shell && pass "the user's session is as it was"
server kill-server
tmux kill-session -t =mine
swarm kill other >said
no_leftovers "nothing goes on"
done_testing
