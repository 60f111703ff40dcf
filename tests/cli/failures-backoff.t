#!/usr/bin/env bash
# A failed iteration is tried again after 1, 2, 4 ... seconds; a success starts the count anew.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
count starts
when-iteration 1 exit 1
when-iteration 2 die KILL
when-iteration 4 exit 3
SCRIPT
run "${loop[@]}" agent --max-iterations 5 --inactivity-timeout 1 -- "$AGENT" agent.txt
exit_is 11 "the loop goes through, and iterations of it failed"
is "$(spans "$out")" "[ralph] agent: starting iteration 1/5
[ralph] agent: iteration 1 failed (exit: 1), retrying in 1s (attempt 1/5)
[ralph] agent: starting iteration 2/5
[ralph] agent: iteration 2 failed (exit: 137), retrying in 2s (attempt 2/5)
[ralph] agent: starting iteration 3/5
[ralph] agent: iteration 3 completed (exit: 0, duration: T)
[ralph] agent: starting iteration 4/5
[ralph] agent: iteration 4 failed (exit: 3), retrying in 1s (attempt 1/5)
[ralph] agent: starting iteration 5/5
[ralph] agent: iteration 5 completed (exit: 0, duration: T)
[ralph] agent: 3 of 5 iterations failed" "with the known words; waiting is not inactivity"
mapfile -t at < <(cut -d ' ' -f 3 starts)
ok "the first wait is a second" test $((at[1] - at[0])) -ge 1000000000
ok "the next is two" test $((at[2] - at[1])) -ge 2000000000
ok "and after a success one again" test $((at[4] - at[3])) -ge 1000000000
is "$(field agent '[.consecutive_failures, .total_failures] | join(" ")')" "0 3" "all failures were counted"
no_leftovers "nothing goes on"
done_testing
