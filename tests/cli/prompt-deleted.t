#!/usr/bin/env bash
# A prompt that goes away in mid-loop ends the loop with the known sentence.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --max-iterations 5 -- "$AGENT" -e 'when-iteration 2 sh rm prompt'
exit_is 1 "the loop has failed"
is "$(spans "$out")" "[ralph] agent: starting iteration 1/5
[ralph] agent: iteration 1 completed (exit: 0, duration: T)
[ralph] agent: starting iteration 2/5
[ralph] agent: iteration 2 completed (exit: 0, duration: T)" "after the agent that ran has finished"
is "$err" "ralph: error: prompt file not found: $PWD/prompt
[ralph] agent: ALERT: loop failed: prompt file not found: $PWD/prompt" "and says why"
is "$(field agent '[.status, .exit_reason, .iteration] | join(" ")')" "failed source_error 2" "the state, too"
run "$RALPH" resume --foreground agent
exit_is 1 "without a prompt it cannot go on"
is "$err" "ralph: error: prompt file not found: $PWD/prompt" "it says so again"
is "$(field agent '[.status, .exit_reason, .iteration] | join(" ")')" "failed source_error 2" "and nothing has changed"
echo 'do it again' >prompt
run "$RALPH" resume --foreground agent
exit_is 0 "with one, it can"
like "$out" 'starting iteration 3/5' "where it was"
no_leftovers "nothing goes on"
done_testing
