#!/usr/bin/env bash
# --max-runtime ends the whole loop.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --max-runtime 2s --max-iterations 5 -- "$AGENT" -e 'when-iteration 2 hang'
exit_is 10 "a loop whose time is used was not done"
like "$out" 'max runtime reached after 2 iterations$' "it says so"
is "$(field agent '[.status, .exit_reason] | join(" ")')" "stopped out_of_time" "and so does the state"
run "${loop[@]}" failing --max-runtime 2500ms --max-iterations 5 -- "$AGENT" -e 'exit 1'
exit_is 10 "also in the middle of a wait"
like "$out" 'retrying in 2s \(attempt 2/5\)
\[ralph\] failing: max runtime reached after 2 iterations$' "which it cuts short"
no_leftovers "nothing goes on"
done_testing
