#!/usr/bin/env bash
# Scenario: Init refuses to overwrite.
. "$(dirname "$0")/../cli/seed.sh"

run swarm ralph init
is "$status $out$err" "1 swarm: error: PROMPT.md already exists (use --force to overwrite)" "it says what to do"
is "$(cat PROMPT.md)" "Do task A" "the file stays as it is"
done_testing
