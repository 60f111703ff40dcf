#!/usr/bin/env bash
# W4: a worker is known by its whole name, never by a prefix or an index.
. "$(dirname "$0")/../cli/seed.sh"

for name in w2 w 1; do
	swarm spawn --name $name --tmux -- sleep 600 >said
done
wait_for 20 windows_are "swarm:1 swarm:w swarm:w2"
w2=$(agent_of w2)
swarm kill w >said
run swarm status w
like "$status $out" '^1 w: stopped' "w does not run because w2 does"
not_ok "and killing it has not killed w2" gone "$w2"
swarm kill 1 >said
is "$(windows) $(swarm ls --format names --status running)" "swarm:w2 w2" "1 is a name and no index"
swarm kill w2 >said
no_leftovers "nothing goes on"
done_testing
