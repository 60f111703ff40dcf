#!/usr/bin/env bash
# After five failures in a row, or as many as the user allows, the loop gives up.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --max-iterations 10 -- "$AGENT" -e 'exit 1'
exit_is 1 "five failures in a row end the loop with failure"
is "$out" "[ralph] agent: starting iteration 1/10
[ralph] agent: iteration 1 failed (exit: 1), retrying in 1s (attempt 1/5)
[ralph] agent: starting iteration 2/10
[ralph] agent: iteration 2 failed (exit: 1), retrying in 2s (attempt 2/5)
[ralph] agent: starting iteration 3/10
[ralph] agent: iteration 3 failed (exit: 1), retrying in 4s (attempt 3/5)
[ralph] agent: starting iteration 4/10
[ralph] agent: iteration 4 failed (exit: 1), retrying in 8s (attempt 4/5)
[ralph] agent: starting iteration 5/10
[ralph] agent: iteration 5 failed (exit: 1)
[ralph] agent: 5 consecutive failures, stopping loop" "in the known words"
is "$(field agent '[.status, .exit_reason, .consecutive_failures] | join(" ")')" "failed failed 5" \
	"the state says so"
is "$(jq -r .status "$RALPH_HOME/ralph/agent/state.json")" failed "and so does state.json"

run "${loop[@]}" two --max-iterations 10 --max-failures 2 -- "$AGENT" -e 'exit 7'
exit_is 1 "--max-failures 2 allows one retry"
like "$out" 'iteration 2 failed \(exit: 7\)
\[ralph\] two: 2 consecutive failures, stopping loop$' "and then says it"
run "${loop[@]}" many --max-iterations 2 --max-failures unlimited -- "$AGENT" -e 'exit 1'
exit_is 11 "--max-failures unlimited ends only with the iterations"
like "$out" 'retrying in 1s \(attempt 1/unlimited\)' "and says that there is no limit"
no_leftovers "nothing goes on"
done_testing
