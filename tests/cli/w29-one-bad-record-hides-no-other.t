#!/usr/bin/env bash
# W29: one malformed record disables nothing; --force says "overwritten" of what was there; wait --timeout 0 looks once.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name w -- sleep 600 >said
jq '.workers += [{"name": "half"}]' ~/.swarm/state.json >edited && cp edited ~/.swarm/state.json
run swarm ls --format names
is "$status $out" "1 w" "the others are listed"
run swarm status w
exit_is 0 "and can be asked"
run swarm wait --timeout 0 w
is "$status $out" "1 w: still running (timeout)" "wait --timeout 0 does not block"
run swarm kill w
is "$status $out" "0 killed w" "and killed"
rm PROMPT.md
run swarm ralph init --force
is "$out" "created PROMPT.md" "--force where there was nothing"
no_leftovers "nothing goes on"
done_testing
