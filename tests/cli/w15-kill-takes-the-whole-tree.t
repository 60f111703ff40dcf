#!/usr/bin/env bash
# W15: kill ends the whole tree, and nobody else who has its process id by now.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name job -- "$AGENT" -e 'fork-child child; fork-daemon daemon; hang' >said
wait_for 20 test -s daemon
swarm kill job >said
ok "children and daemons are gone" gone "$(cat child)" "$(cat daemon)"
# The id of a worker that is long over belongs to somebody else now.
sleep 600 &
other=$!
jq ".workers[0].pid = $other | .workers[0].status = \"running\"" ~/.swarm/state.json >edited && cp edited ~/.swarm/state.json
run swarm status job
like "$status $out" '^1 job: stopped' "a process id that was given away is no worker"
swarm kill job >said
not_ok "and is left alone" gone "$other"
kill "$other"
no_leftovers "nothing goes on"
done_testing
