#!/usr/bin/env bash
# Scenario: Five consecutive failures stops loop.
. "$(dirname "$0")/../cli/seed.sh"

echo 'exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
end_bg 60 "$bg"
for failures in 1 2 3 4; do
	like "$out" "iteration $failures failed .*retrying in $((1 << (failures - 1)))s \\(attempt $failures/5\\)" "failure $failures"
done
exit_is 1 "the loop exits with 1"
is "$(tail -n 1 <<<"$out")" "[ralph] agent: 5 consecutive failures, stopping loop" "it says why"
is "$(state_of agent '[.status, .consecutive_failures, .current_iteration] | join(" ")')" "failed 5 5" "the state is failed"
no_leftovers "nothing goes on"
done_testing
