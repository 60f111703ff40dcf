#!/usr/bin/env bash
# Scenario: Pipe template to custom file.
. "$(dirname "$0")/../cli/seed.sh"

rm PROMPT.md
swarm ralph template > BUILD_PROMPT.md
is "$(cat BUILD_PROMPT.md)" "$template" "the template is written"
: >claude.txt
run swarm spawn --name agent --ralph --prompt-file BUILD_PROMPT.md --max-iterations 1 -- claude
exit_is 0 "it can be used with --prompt-file BUILD_PROMPT.md"
is "$(cat prompt.1)" "$(cat BUILD_PROMPT.md)" "and reaches the agent to the letter"
done_testing
