#!/usr/bin/env bash
# Scenario: Initialize prompt file.
. "$(dirname "$0")/../cli/seed.sh"

rm PROMPT.md
run swarm ralph init
is "$status $out$err" "0 created PROMPT.md" "it says so"
is "$(cat PROMPT.md)" "study specs/README.md
study CLAUDE.md and pick the most important incomplete task

IMPORTANT:

- do not assume anything is implemented - verify by reading code
- update IMPLEMENTATION_PLAN.md when the task is done
- if tests are missing, add them (choose unit/integration/property as appropriate, follow existing patterns)
- run tests after changes
- commit and push when you are done" "PROMPT.md has the template"
done_testing
