#!/usr/bin/env bash
# Scenario: Initialize prompt file.
. "$(dirname "$0")/../cli/seed.sh"

rm PROMPT.md
run swarm ralph init
is "$status $out$err" "0 created PROMPT.md" "it says so"
is "$(cat PROMPT.md)" "$template" "PROMPT.md has the template"
done_testing
