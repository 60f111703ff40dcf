#!/usr/bin/env bash
# Scenario: Output template to stdout.
. "$(dirname "$0")/../cli/seed.sh"

rm PROMPT.md
run swarm ralph template
exit_is 0 "it succeeds"
is "$out" "$template" "the template is printed"
is "$(ls)" "" "no files are created"
not_ok "not even a state" test -e ~/.swarm
run swarm ralph template --force
exit_is 2 "it takes no flags"
done_testing
