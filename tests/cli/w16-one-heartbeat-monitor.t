#!/usr/bin/env bash
# W16: a worker has one heartbeat monitor at most, whatever is called meanwhile, and stop ends it.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name w --tmux -- sleep 600 >said
swarm heartbeat start w --interval 4h >said
for command in ls "status w" "heartbeat list" "heartbeat status w" ls; do
	# shellcheck disable=SC2086 # two words are two
	swarm $command >said
done
lock=~/.swarm/heartbeats/w.lock
pid=$(jq -r .pid $lock)
not_ok "the monitor lives" gone "$pid"
swarm ls >said
is "$(jq -r .pid $lock)" "$pid" "and is the same after many commands"
swarm heartbeat stop w >said
wait_for 20 gone "$pid" && pass "stop ends it"
swarm kill w >said
no_leftovers "nothing goes on"
done_testing
