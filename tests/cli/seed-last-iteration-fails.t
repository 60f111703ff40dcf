#!/usr/bin/env bash
# Evaluate: when the iterations are used the loop stops with exit code 0, also when the last one failed.
. "$(dirname "$0")/../cli/seed.sh"
echo 'when-iteration 2 exit 7' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
exit_is 0 "the loop exits with 0"
is "$(tail -n 2 <<<"$out")" "[ralph] agent: iteration 2 failed (exit: 7)
[ralph] agent: loop complete after 2 iterations" "it says what failed, and promises no retry"
is "$(state_of agent '[.status, .consecutive_failures, .total_failures] | join(" ")')" "stopped 1 1" "the state is stopped, with the failure"
no_leftovers "nothing goes on"
done_testing
