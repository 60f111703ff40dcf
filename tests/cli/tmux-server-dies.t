#!/usr/bin/env bash
# A tmux server that dies takes only the display: the agent goes on and gets a new window.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
wait_for 20 agents 1
wait_for 20 windows_are swarm:agent
agent=$(agent_of agent)
server=$(tmux display-message -p '#{pid}')
tmux kill-server
wait_for 20 gone "$server"
wait_for 20 windows_are swarm:agent && pass "kill-server: there is a new window"
not_ok "and the same agent" gone "$agent"
server=$(tmux display-message -p '#{pid}')
crash "$server"
not_ok "kill -9: the agent goes on" gone "$agent"
next_agent
wait_for 20 agents 2
wait_for 20 windows_are swarm:agent && pass "there is a new window, at the next start at the latest"
is "$(wc -l <starts)" 2 "the loop has lost nothing"
# With its last window a server ends by itself.
agent=$(agent_of agent)
server=$(tmux display-message -p '#{pid}')
tmux kill-window -t =swarm:=agent
wait_for 20 gone "$server"
wait_for 20 windows_are swarm:agent && pass "the last window closed: there is a new server with a new window"
not_ok "and the same agent" gone "$agent"
is "$(wc -l <starts)" 2 "nothing was started beside it"
next_agent
wait_for 20 agents 3
next_agent
end_bg 20 "$bg"
exit_is 0 "and goes through"
is "$(grep -c 'exit: 0' <<<"$out")" 3 "every agent ended by itself"
no_leftovers "nothing goes on"
done_testing
