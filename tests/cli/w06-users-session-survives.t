#!/usr/bin/env bash
# W6: killing a worker in a user's session leaves the session and its windows.
. "$(dirname "$0")/../cli/seed.sh"

tmux new-session -d -s mine -n editor 'sleep 600'
swarm spawn --name agent --session mine -- sleep 600 >said
wait_for 20 windows_are "mine:agent mine:editor"
swarm kill agent >said
is "$(windows)" mine:editor "kill"
swarm clean agent >said
is "$(windows)" mine:editor "clean"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
