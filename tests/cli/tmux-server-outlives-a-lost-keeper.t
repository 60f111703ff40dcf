#!/usr/bin/env bash
# A tmux server that a supervisor started is not taken for what an agent left behind.
. "$(dirname "$0")/../cli/seed.sh"
. "$(dirname "$0")/stray.sh"

cat >claude.txt <<SCRIPT
count starts
when-iteration 1 wait-file go
when-iteration 1 sh exec $stray $PWD/place
when-iteration 2 wait-file on
SCRIPT
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
wait_for 20 agents 1
wait_for 20 windows_are swarm:agent
server=$(tmux display-message -p '#{pid}')
touch go
wait_for 30 agents 2
ok "the daemon of an agent that killed its keeper is gone" gone "$(<place/daemon)"
not_ok "the tmux server is not" gone "$server"
ok "nor is the window" windows_are swarm:agent
touch on
end_bg 20 "$bg"
exit_is 0 "the loop goes through"
no_leftovers "nothing goes on"
done_testing
