#!/usr/bin/env bash
# Human monitoring: Quick Status Check, Dashboard View.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; hang' >claude.txt
swarm spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 7 -- claude >said
swarm spawn --name plain -- sleep 600 >said
swarm spawn --name over -- true >said
swarm wait over >said
wait_for 20 agents 1
run swarm status agent
like "$status $out" '^0 agent: running \(tmux window swarm:agent, uptime [0-9]+s\)$' "is the worker running?"
swarm ls --format json | jq '.[] | select(.metadata.ralph == true)' >ralphs
is "$(jq -rs 'map(.name) | join(" ")' ralphs)" agent "list all ralph workers"
is "$(jq -c .metadata ralphs)" '{"ralph":true,"ralph_iteration":1}' "with their metadata"
# What watch runs every five seconds.
run sh -c 'for w in $(swarm ls --format names); do echo "=== $w ==="; swarm ralph status $w 2>/dev/null || swarm status $w; done'
is "$(grep -v '^Started\|^Current\|^Last\|^Consec\|^Total\|^Inact\|^Agent' <<<"$out" | sed -E 's/pid [0-9]+|[0-9]+s\)/X/g')" "=== agent ===
Ralph Loop: agent
Status: running
Iteration: 1/7
=== plain ===
plain: running (X, uptime X
=== over ===
over: stopped (X, uptime X" "the dashboard shows loops as such and the others as workers"
swarm kill --all >said
no_leftovers "nothing goes on"
done_testing
