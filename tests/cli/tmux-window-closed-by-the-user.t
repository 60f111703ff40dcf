#!/usr/bin/env bash
# A window that the user closes ends its agent, as closing any terminal does; the loop goes on.
. "$(dirname "$0")/../cli/seed.sh"

# With its last window a server ends, which is another matter (tmux-server-dies.t).
tmux new-session -d -s mine -n editor 'sleep 600'
echo 'count starts; hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 9 -- claude
wait_for 20 agents 1
wait_for 20 windows_are "mine:editor swarm:agent"
first=$(cut -d ' ' -f 2 starts)
tmux kill-window -t =swarm:=agent
wait_for 20 gone "$first" && pass "the agent is gone"
wait_for 20 agents 2 && pass "the next iteration begins"
wait_for 20 windows_are "mine:editor swarm:agent" && pass "in a new window"
swarm kill agent >said
end_bg 20 "$bg"
swarm spawn --name job --tmux -- "$AGENT" -e 'touch here; hang' >said
wait_for 20 test -e here
wait_for 20 windows_are "mine:editor swarm:job"
tmux kill-window -t =swarm:=job
run swarm wait --timeout 90 job
is "$status $out" "0 job: exited" "a plain worker is over then"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
