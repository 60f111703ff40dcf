#!/usr/bin/env bash
# The configuration's prompt file is the prompt.
. "$(dirname "$0")/loop-review.sh"

project p
config '{"prompt":"prompt.md"}'
echo 'Take {ticket}, {title}.' >prompt.md
ticket a && commit
looped --trust-exit -- sh -c "cat >'$T/got'"
exit_is 0 "it runs"
is "$(cat "$T/got")" "Take a, Do a." "the agent gets the file, filled in"
done_testing
