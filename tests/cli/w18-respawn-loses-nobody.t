#!/usr/bin/env bash
# W18: a respawn that fails loses no worker.
. "$(dirname "$0")/../cli/seed.sh"

cp "$AGENT" tool
swarm spawn --name w -- "$PWD/tool" -e hang >said
rm tool
run swarm respawn w
is "$status $err" "1 swarm: error: cannot run $PWD/tool: No such file or directory" "what cannot be started is said"
run swarm status w
exit_is 0 "and the worker runs as before"
swarm kill w >said
is "$(swarm ls --format names)" w "it is still known"
no_leftovers "nothing goes on"
done_testing
