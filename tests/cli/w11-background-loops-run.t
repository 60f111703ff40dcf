#!/usr/bin/env bash
# W11: a loop in the background runs, wherever the program is installed and whoever leaves.
. "$(dirname "$0")/../cli/seed.sh"

mkdir "$T/elsewhere"
cp "$RALPH" "$T/elsewhere/swarm"
echo 'count starts; wait-file go' >claude.txt
run bash -c '"$T/elsewhere/swarm" spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude'
is "$status $out" "0 spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/2]" "it says so when it is true"
wait_for 20 agents 1 && pass "an agent runs"
touch go
run swarm wait agent
is "$(state_of agent '"\(.status) \(.current_iteration)"')" "stopped 2" "and the loop goes through"

# swarm ralph run in the background of a shell, its terminal closed.
rm go
swarm spawn --name left --detach --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude >said
wait_for 20 field_is left '.sessions[0].pid != null' true
crash "$(supervisor_of left)"
setsid swarm ralph run left </dev/null >&- 2>&- &
wait_for 20 field_is left .supervised true
touch go
run swarm wait left
is "$(state_of left '"\(.status) \(.current_iteration)"')" "stopped 3" "ralph run & goes on, and does not exit silently"
run swarm spawn --name bad --detach --ralph --prompt-file ./PROMPT.md --max-iterations 2 --cwd /nowhere -- claude
exit_is 1 "what cannot start is told before anything else"
no_leftovers "nothing goes on"
done_testing
