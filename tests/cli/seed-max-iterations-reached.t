#!/usr/bin/env bash
# Scenario: Max iterations reached.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
exit_is 0 "the loop exits with 0"
is "$(tail -n 2 <<<"$(spans "$out")")" "[ralph] agent: iteration 10 completed (exit: 0, duration: T)
[ralph] agent: loop complete after 10 iterations" "it says so"
is "$(state_of agent '[.status, .current_iteration] | join(" ")')" "stopped 10" "the state is stopped"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3 4 5 6 7 8 9 10" "there were ten agents, one after the other"
no_leftovers "nothing goes on"
done_testing
