#!/usr/bin/env bash
# Scenario: Init with force flag.
. "$(dirname "$0")/../cli/seed.sh"

run swarm ralph init --force
is "$status $out$err" "0 created PROMPT.md (overwritten)" "it says so"
is "$(cat PROMPT.md)" "$template" "PROMPT.md is the template now"
done_testing
