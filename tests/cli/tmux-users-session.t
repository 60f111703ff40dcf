#!/usr/bin/env bash
# A session that the user made is never killed, only our windows in it; and its focus is the user's.
. "$(dirname "$0")/../cli/seed.sh"

tmux new-session -d -s mine -n editor 'sleep 600'
echo 'count starts; hang' >claude.txt
swarm spawn --name agent --session mine --detach --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude >said
wait_for 20 agents 1
wait_for 20 windows_are "mine:agent mine:editor" && pass "the worker has a window beside the user's"
is "$(tmux display-message -p -t =mine: '#{window_name}')" editor "the user still looks at his own"
swarm kill agent >said
is "$(windows)" "mine:editor" "kill closes ours alone"
swarm spawn --name job --session mine -- sleep 600 >said
swarm spawn --name short --session mine -- true >said
swarm wait short >said
wait_for 20 windows_are "mine:editor mine:job"
swarm kill --all --rm-worktree >said
swarm clean --all >said
is "$(windows)" "mine:editor" "so do kill --all and clean --all"
# A window the user has made in our session.
swarm spawn --name job --tmux -- sleep 600 >said
tmux new-window -d -t =swarm: -n notes 'sleep 600'
swarm kill job >said
is "$(windows)" "mine:editor swarm:notes" "a user's window in our session stays as well"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
