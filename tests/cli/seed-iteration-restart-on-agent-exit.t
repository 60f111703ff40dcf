#!/usr/bin/env bash
# Scenario: Iteration restart on agent exit.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 3+ wait-file go; when-iteration 3+ sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 30 agents 3
is "$(worker_of agent '.metadata | tostring')" '{"ralph":true,"ralph_iteration":3}' "given: iteration 3/10 runs"
first=$(agent_of agent)
echo 'Do task B' >PROMPT.md
next_agent
wait_for 20 agents 4
like "$(cat "$T/bg.$bg.out")" '\[ralph\] agent: iteration 3 completed \(exit: 0, duration: [0-9]+s\)
\[ralph\] agent: starting iteration 4/10$' "its end and the next start are told"
is "$(cat prompt.3; echo; cat prompt.4)" "Do task A
Do task B" "the prompt file is read again from disk"
ok "the agent is another one" test "$(agent_of agent)" != "$first"
is "$(worker_of agent '.metadata | tostring')" '{"ralph":true,"ralph_iteration":4}' "the worker's metadata are updated"
is "$(state_of agent '.current_iteration')" 4 "the state, too"
run swarm kill agent
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
