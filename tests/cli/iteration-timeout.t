#!/usr/bin/env bash
# --iteration-timeout ends an agent that runs too long, and counts as a failure.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --iteration-timeout 1s --max-iterations 2 -- \
	"$AGENT" -e 'when-iteration 1 fork-daemon daemon; when-iteration 1 hang'
exit_is 11 "the loop goes on, and does not call that complete"
is "$(spans "$out" | sed 's/after [0-9]*s)/after 1s)/')" "[ralph] agent: starting iteration 1/2
[ralph] agent: iteration 1 failed (timeout after 1s), retrying in 1s (attempt 1/5)
[ralph] agent: starting iteration 2/2
[ralph] agent: iteration 2 completed (exit: 0, duration: T)
[ralph] agent: 1 of 2 iterations failed" "it says what happened"
ok "its tree was ended with it" gone "$(cat daemon)"
no_leftovers "nothing goes on"
done_testing
