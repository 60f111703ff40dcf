#!/usr/bin/env bash
# The power fails right after something was acknowledged: it is still there afterwards.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/power.sh"

facts() { jq -c '.facts[].fact' "$RALPH_HOME/loops/$1/journal.jsonl" | wc -l; }

echo work >prompt
trials=10
for ((i = 1; i <= trials; i++)); do
	run_bg "$RALPH" run --name "x$i" --json --prompt-file prompt --max-iterations unlimited -- "$AGENT" -e 'sleep 1'
	wait_for 20 said "$T/bg.$bg.out" '"ended"' "$i"
	# What is told after the cut does not count: nobody would be there to hear it, and a sync
	# that is under way while the file system is shut down may come back as if it had worked.
	told=$(grep -c . "$T/bg.$bg.out")
	power_cut "$bg"
	kept=$(facts "x$i")
	if ((kept >= told)); then
		pass "trial $i: $told facts were told, $kept are on disk"
	else
		fail "trial $i: $told facts were told, $kept are on disk"
	fi
	run "$RALPH" status "x$i"
	exit_is 0 "trial $i: the state opens"
done
run_bg "$RALPH" resume --foreground x1
wait_for 20 said "$T/bg.$bg.out" 'iteration [0-9]+ completed'
run "$RALPH" stop x1
exit_is 0 "and the loop goes on"
wait "$bg"
no_leftovers "nothing goes on"
done_testing
