#!/usr/bin/env bash
# Scenario: High iteration warning.
. "$(dirname "$0")/../cli/seed.sh"

echo 'println finished' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 100 --done-pattern finished -- claude
is "$err" "swarm: warning: high iteration count (>50) may consume significant resources" "there is a warning on stderr"
like "$status $out" '^0 spawned agent \(tmux: swarm:agent\) \[ralph mode: iteration 1/100\]' "and the worker still spawns"
run swarm spawn --name other --ralph --prompt-file ./PROMPT.md --max-iterations 51 --done-pattern finished -- claude
like "$err" 'warning: high iteration count' "51 are more than 50"
run swarm spawn --name fifty --ralph --prompt-file ./PROMPT.md --max-iterations 50 --done-pattern finished -- claude
is "$status $err" "0 " "50 are not"
no_leftovers "nothing goes on"
done_testing
