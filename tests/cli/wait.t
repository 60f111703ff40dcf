#!/usr/bin/env bash
# ralph wait returns when the loop is over, with the loop's exit code.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
"${loop[@]}" agent --detach --max-iterations 1 -- "$AGENT" -e 'touch here; wait-file go' >agent.out
wait_for 20 test -e here
run "$RALPH" wait --timeout 0 agent
exit_is 124 "it can look once"
is "$err" "ralph: error: agent: still running (timeout)" "and says how it stands"
run "$RALPH" wait --timeout 100ms agent
exit_is 124 "or give up after a time"
run_bg "$RALPH" wait agent
touch go
end_bg 20 "$bg"
exit_is 0 "it returns when the loop is complete"
is "$out" "agent: complete (max_iterations)" "and says how it ended"
run "$RALPH" wait agent
exit_is 0 "also afterwards"
"${loop[@]}" failing --max-iterations 2 --max-failures 1 -- "$AGENT" -e 'exit 1' >failing.out 2>&1
run "$RALPH" wait failing
exit_is 1 "a loop that failed"
is "$out" "failing: failed (failed)" "is told as such"
rm go here
"${loop[@]}" stopped --detach --max-iterations 1 -- "$AGENT" -e 'touch here; hang' >stopped.out
wait_for 20 test -e here
run_bg "$RALPH" wait stopped
"$RALPH" stop stopped >stop.out
end_bg 20 "$bg"
exit_is 3 "and so is one that was stopped"
no_leftovers "nothing goes on"
done_testing
