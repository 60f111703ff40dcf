#!/usr/bin/env bash
# Edge case: Empty prompt file is allowed (agent receives empty input).
. "$(dirname "$0")/../cli/seed.sh"

: >PROMPT.md
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- "$AGENT" -e 'read-stdin-to got; count starts'
exit_is 0 "it is allowed"
ok "the agent received nothing, and its end" test -e got -a ! -s got
ok "in each iteration" agents 2
run swarm spawn --name typing --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- "$AGENT" -e 'println ready; touch alive'
is "$status $err" "0 " "an agent with a terminal is not kept waiting"
no_leftovers "nothing goes on"
done_testing
