#!/usr/bin/env bash
# --tmux-socket: the windows are on another server, and every command finds them there.
. "$(dirname "$0")/../cli/seed.sh"

server() {
	tmux -L outer -f /dev/null "$@"
}
shows() {
	server capture-pane -p | grep -qE -e "$1"
}
# shellcheck disable=SC2016 # the agent's shell expands it
echo 'count starts; sh read -r line && echo "heard $line"; hang' >claude.txt
run swarm spawn --name agent --tmux-socket side --detach --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
is "$out$err" "spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/3]" "it is spawned"
wait_for 20 agents 1
wait_for 20 windows_are swarm:agent -L side && pass "in a window of that server"
is "$(windows)" "" "and none of the usual one"
is "$(worker_of agent .tmux.socket)" side "its record says where"
server new-session -d -x 100 -y 30 'env -u TMUX swarm attach agent; exec cat'
wait_for 20 shows 'Do task A' && pass "attach goes there"
is "$(tmux -L side list-clients | wc -l)" 1 "with a client of that server"
run swarm send agent 'a word'
wait_for 20 shows 'heard a word' && pass "send types there"
run swarm kill agent
wait_for 20 windows_are "" -L side && pass "kill closes it there"
server kill-server
no_leftovers "nothing goes on"
done_testing
