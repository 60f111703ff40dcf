#!/usr/bin/env bash
# A display comes back though the program was replaced: a worker's, and that of a list of tasks.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/installed.sh"
. "$(dirname "$0")/seed.sh"

echo 'count starts; println HELLO; wait-file go; sh rm go' >claude.txt
shows() { tmux capture-pane -t "swarm:$1" -p 2>/dev/null | grep -q "$2"; }
server_ends() {
	local server
	server=$(tmux display-message -p '#{pid}')
	tmux kill-server
	wait_for 20 gone "$server"
}
for how in gone new over broken; do
	replace new
	rm -f starts
	run_bg swarm spawn --name "$how" --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
	wait_for 30 agents 1
	wait_for 30 shows "$how" HELLO
	replace "$how"
	server_ends
	wait_for 30 shows "$how" HELLO && pass "$how: the window comes back, and shows the agent"
	is "$(tmux display-message -p -t "swarm:$how" '#{pane_current_command}')" ralph "$how: it is ralph that shows it"
	next_agent
	wait_for 30 agents 2
	wait_for 30 shows "$how" HELLO && pass "$how: and the next one"
	next_agent
	end_bg 30 "$bg"
	exit_is 0 "$how: the loop goes through"
done
tmux kill-server 2>/dev/null
no_leftovers "nothing goes on"
done_testing
