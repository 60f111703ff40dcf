#!/usr/bin/env bash
# W13: twenty workers started at once are twenty in the registry; of two that want one name, one gets it.
. "$(dirname "$0")/../cli/lib.sh"

begin=${EPOCHREALTIME/./}
for i in {1..20}; do
	"$SWARM" spawn --name "w$i" -- sleep 613 >"said.$i" 2>&1 &
	pids[i]=$!
done
wait "${pids[@]}"
diag "20 workers in $(((${EPOCHREALTIME/./} - begin) / 1000)) ms"
is "$(cat said.* | grep -c '^spawned w[0-9]* (pid: [0-9]*)$')" 20 "each says that it was spawned"
is "$(jq '.workers | length' "$RALPH_HOME/state.json")" 20 "none is lost"
is "$("$SWARM" ls --format names --status running | sort -V | xargs)" "$(echo w{1..20})" "all run"

for i in {1..10}; do
	"$SWARM" spawn --name one -- sleep 613 >"one.$i" 2>&1 &
	pids[i]=$!
done
wait "${pids[@]:1:10}"
is "$(cat one.* | grep -c '^spawned one ')" 1 "of ten that want one name, one gets it"
is "$(cat one.* | grep -cx "swarm: error: worker 'one' already exists")" 9 "the others are told"
is "$(jq '[.workers[] | select(.name == "one")] | length' "$RALPH_HOME/state.json")" 1 "it is registered once"
# No other test has one that sleeps as long.
is "$(pgrep -c -f '^sleep 613$' -s 0 || true)" 0 "in sessions of their own"

run "$SWARM" kill --all
exit_is 0 "all can be killed at once"
is "$(sort -V <<<"$out" | head -n 2 | xargs)" "killed one killed w1" "each is named"
is "$("$SWARM" ls --format names --status running)" "" "none runs any more"
run "$SWARM" clean --all
is "$("$SWARM" ls)" "" "and all can be cleaned"
no_leftovers "nothing goes on"
done_testing
