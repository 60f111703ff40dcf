#!/usr/bin/env bash
# A worker whose name was used a moment ago does not end with the window of the one before it.
. "$(dirname "$0")/../cli/seed.sh"

tmux new-session -d -s mine -n editor 'sleep 600'
viewer() { tmux list-panes -a -F '#{window_name} #{pane_pid}' | sed -n 's/^job //p'; }
swarm spawn --name job --session mine -- sleep 600 >said
old=$(viewer)
ok "a worker has a window" test -n "$old"
swarm kill job >said
swarm clean job >said
swarm spawn --name job --session mine -- sleep 600 >said
wait_for 60 gone "$old"
run swarm status job
exit_is 0 "another one of its name runs on when the first one's window is gone for good"
ok "in a window of its own" test -n "$(viewer)"
swarm kill job >said
tmux kill-server
no_leftovers "nothing goes on"
done_testing
