#!/usr/bin/env bash
# A failure in the last iteration is said, and the loop does not end well.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --max-iterations 1 -- "$AGENT" -e 'exit 4'
exit_is 11 "an iteration failed, and so it ends"
is "$out" "[ralph] demo: starting iteration 1/1
[ralph] demo: iteration 1 failed (exit: 4)
[ralph] demo: 1 of 1 iterations failed" "the failure is said, without a retry that never comes"
no_leftovers "nothing goes on"
done_testing
