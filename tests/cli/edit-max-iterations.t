#!/usr/bin/env bash
# max_iterations in state.json may be edited while the loop runs.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
state=$RALPH_HOME/ralph/agent/state.json
edit() {
	jq "$1" "$state" >edited.json && mv edited.json "$state"
}
run_bg "${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
wait_for 20 test -s starts
wait_for 20 test -s "$state"
edit '.max_iterations = 3 | .note = "mine"'
touch go
end_bg 20 "$bg"
exit_is 0 "the loop goes through"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "one more iteration than it was started with"
like "$out" 'max iterations is now 3' "it says that it noticed"
like "$out" 'starting iteration 3/3' "and counts on"
is "$(field agent .max_iterations)" 3 "the loop has it"
is "$(jq -c '[.max_iterations, .note]' "$state")" '[3,"mine"]' "the file, too, and what it did not know is kept"

rm -f go starts
run_bg "${loop[@]}" agent --max-iterations 5 -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
wait_for 20 test -s starts
wait_for 20 test -s "$state"
edit '.max_iterations = 1'
touch go
end_bg 20 "$bg"
exit_is 0 "fewer are possible, too"
is "$(wc -l <starts)" 1 "then it ends earlier"

rm -f go starts
run_bg "${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
wait_for 20 test -s starts
wait_for 20 test -s "$state"
edit '.max_iterations = -4'
touch go
end_bg 20 "$bg"
exit_is 0 "nonsense does not harm"
like "$err" 'ralph: warning: agent: ' "it is said"
is "$(wc -l <starts)" 2 "and the loop goes on as before"
is "$(jq .max_iterations "$state")" 2 "as the file says again"
no_leftovers "nothing goes on"
done_testing
