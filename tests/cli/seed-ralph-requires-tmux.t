#!/usr/bin/env bash
# Scenario: Ralph requires tmux.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 agents 1
wait_for 20 windows_are swarm:agent && pass "--tmux is automatically enabled"
is "$(worker_of agent '.tmux | tostring')" '{"session":"swarm","window":"agent","socket":null}' "the worker is in tmux mode"
like "$(swarm status agent)" '^agent: running \(tmux window swarm:agent, uptime [0-9]+s\)$' "as its status says"
swarm kill agent >killed
end_bg 20 "$bg"
run swarm spawn --name both --tmux --detach --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
is "$out$err" "spawned both (tmux: swarm:both) [ralph mode: iteration 1/10]" "saying --tmux changes nothing"
swarm kill both >killed
mkdir bin
ln -s "$(command -v bash)" bin/
run env PATH="$PWD/bin" "$SWARM" spawn --name none --ralph --prompt-file PROMPT.md --max-iterations 1 -- bash
is "$status $err" "1 swarm: error: tmux is not installed (required for --ralph)" "without tmux it says so"
no_leftovers "nothing goes on"
done_testing
