#!/usr/bin/env bash
# A tmux server that stands still (SIGSTOP) does not hold up the loop it shows.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 4 -- claude
wait_for 20 agents 1
wait_for 20 windows_are swarm:agent
server=$(tmux display-message -p '#{pid}')
kill -STOP "$server"
begin=$EPOCHREALTIME
next_agent
wait_for 20 agents 2
next_agent
wait_for 20 agents 3
ok "two agents are started meanwhile, at once" took_less 8 "$begin"
run timeout 60 swarm ralph pause agent
is "$status $out" "0 paused ralph loop for agent" "it can be paused"
run timeout 60 swarm ralph resume agent
is "$status $out" "0 resumed ralph loop for agent" "and resumed"
run timeout 60 swarm status agent
like "$status $out" '^0 agent: running' "and looked at"
kill -CONT "$server"
wait_for 20 windows_are swarm:agent && pass "its window is still there afterwards"
shows() {
	tmux capture-pane -p -t =swarm:=agent | grep -q 'Do task A'
}
wait_for 20 shows && pass "and shows the agent of now"
next_agent
wait_for 20 agents 4
next_agent
end_bg 20 "$bg"
exit_is 0 "the loop goes through"
no_leftovers "nothing goes on"
done_testing
