#!/usr/bin/env bash
# Scenario: Output template to stdout.
. "$(dirname "$0")/../cli/seed.sh"

rm PROMPT.md
run swarm ralph template
exit_is 0 "it succeeds"
is "$(head -n 1 <<<"$out") ... $(tail -n 1 <<<"$out")" "study specs/README.md ... - commit and push when you are done" "the template is printed"
is "$(ls)" "" "no files are created"
not_ok "not even a state" test -e ~/.swarm
done_testing
