#!/usr/bin/env bash
# W13: of many that want one name at the same time, one gets it.
. "$(dirname "$0")/../cli/seed.sh"

for i in {1..8}; do
	swarm spawn --name "n$((i % 4))" -- sleep 600 >"said.$i" 2>&1 &
	pids+=($!)
done
wait "${pids[@]}"
is "$(cat said.* | grep -c '^spawned')" 4 "each name once"
is "$(cat said.* | grep -c 'already exists$')" 4 "the others are told"
is "$(jq -r '.workers | map(.name) | sort | join(" ")' ~/.swarm/state.json)" "n0 n1 n2 n3" "the registry has each once"
swarm kill --all >said
no_leftovers "nothing goes on"
done_testing
