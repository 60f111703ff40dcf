#!/usr/bin/env bash
# Human monitoring: Live Agent View.
. "$(dirname "$0")/../cli/seed.sh"

server() {
	tmux -L outer -f /dev/null "$@"
}
shows() {
	server capture-pane -p | grep -qE -e "$1"
}
# shellcheck disable=SC2016 # the agent's shell expands it
echo 'count starts; println a tool call; sh read -r line && echo "heard $line"; wait-file go; sh rm go' >claude.txt
swarm spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude >said
wait_for 20 agents 1
server new-session -d -x 100 -y 30 'env -u TMUX swarm attach agent; echo "code $?"; exec cat'
wait_for 20 shows 'a tool call' && pass "swarm attach shows the live output"
server send-keys 'my words' Enter
wait_for 20 shows 'heard my words' && pass "it is interactive"
next_agent
wait_for 20 agents 2
not_ok "the next iteration throws nobody out" shows 'code'
server send-keys 'more words' Enter
wait_for 20 shows 'heard more words' && pass "and its agent is in the same window"
server send-keys C-b d
wait_for 20 shows 'code 0' && pass "Ctrl-B D detaches"
is "$(worker_of agent .status)" running "and the worker goes on"
server kill-server
swarm kill agent >killed
no_leftovers "nothing goes on"
done_testing
