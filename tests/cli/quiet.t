#!/usr/bin/env bash
# --quiet prints alerts and the end, nothing else.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --quiet --max-iterations 2 -- "$AGENT" -e 'println x'
exit_is 0 "the loop goes through"
is "$out" "[ralph] demo: 2 iterations done" "the end is said"
is "$err" "" "nothing else is"
run "${loop[@]}" failing --quiet --max-iterations 2 --max-failures 1 -- "$AGENT" -e 'exit 1'
exit_is 1 "a loop that fails"
is "$out" "[ralph] failing: 1 consecutive failures, stopping loop" "says so"
is "$err" "[ralph] failing: ALERT: loop failed: 1 consecutive failures" "and alerts"
no_leftovers "nothing goes on"
done_testing
