#!/usr/bin/env bash
# W12: a worker that is spawned while another one is killed stays in the registry.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name stubborn --grace 1s -- "$AGENT" -e 'ignore TERM; touch here; hang' >said
wait_for 20 test -e here
run_bg swarm kill stubborn
for i in 1 2 3; do
	swarm spawn --name "new$i" -- sleep 600 >said
done
end_bg 20 "$bg"
is "$(jq -r '.workers | map("\(.name) \(.status)") | sort | join(", ")' ~/.swarm/state.json)" \
	"new1 running, new2 running, new3 running, stubborn stopped" "all are there"
swarm kill --all >said
no_leftovers "nothing goes on"
done_testing
