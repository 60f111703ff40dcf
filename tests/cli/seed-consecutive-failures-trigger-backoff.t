#!/usr/bin/env bash
# Scenario: Consecutive failures trigger backoff.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 4 hang; exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 40 agents 4
is "$(grep -F failed "$T/bg.$bg.out")" "[ralph] agent: iteration 1 failed (exit: 1), retrying in 1s (attempt 1/5)
[ralph] agent: iteration 2 failed (exit: 1), retrying in 2s (attempt 2/5)
[ralph] agent: iteration 3 failed (exit: 1), retrying in 4s (attempt 3/5)" "each failure is told"
mapfile -t at < <(cut -d ' ' -f 3 starts)
for i in 1 2 3; do
	ok "after failure $i it waited $((1 << (i - 1))) s" test $((at[i] - at[i - 1])) -ge $((1000000000 << (i - 1)))
done
is "$(sed -n 's/.*\[FAIL\] //p' "$(log_of agent)")" "iteration 1 exit=1 attempt=1/5 backoff=1s
iteration 2 exit=1 attempt=2/5 backoff=2s
iteration 3 exit=1 attempt=3/5 backoff=4s" "the log has them"
is "$(state_of agent '[.status, .consecutive_failures, .total_failures] | join(" ")')" "running 3 3" "and the state counts them"
run swarm kill agent
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
