#!/usr/bin/env bash
# A failure in the last iteration is said, and is no failure of the loop.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --max-iterations 1 -- "$AGENT" -e 'exit 4'
exit_is 0 "the loop has succeeded: its iterations are used"
is "$out" "[ralph] demo: starting iteration 1/1
[ralph] demo: iteration 1 failed (exit: 4)
[ralph] demo: loop complete after 1 iterations" "the failure is said, without a retry that never comes"
no_leftovers "nothing goes on"
done_testing
