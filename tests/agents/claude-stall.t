#!/usr/bin/env bash
# A model that never answers: claude's spinner turns for ever, and the loop goes on all the same.
. "$(dirname "$0")/lib.sh"

claude=(claude --dangerously-skip-permissions)
echo 'Do the next task. When none is left, print: All tasks complete' >prompt
# shellcheck disable=SC2016
echo 'end=$((SECONDS + 8)); while ((SECONDS < end)); do :; done; echo busy >busy' >work
model '[
	{"hang": true},
	{"text": "I look at it first.", "hang": true},
	{"tools": [{"name": "Bash", "input": {"command": "bash work", "description": "Work"}}]},
	{"text": "All tasks complete"}
]'
run "${loop[@]}" stuck --max-iterations 4 --inactivity-timeout 60 --stall-timeout 6s --done-pattern 'All tasks complete' -- "${claude[@]}"
exit_is 0 "the loop comes to its end"
is "$(outline "$out")" "[ralph] stuck: starting iteration 1/4
[ralph] stuck: no progress (stall timeout), restarting
[ralph] stuck: starting iteration 2/4
[ralph] stuck: no progress (stall timeout), restarting
[ralph] stuck: starting iteration 3/4
[ralph] stuck: done pattern matched, stopping loop
[ralph] stuck: iteration 3 completed
[ralph] stuck: loop complete after 3 iterations" "a spinner is no progress; a tool that works is"
is "$(cat busy)" "busy" "which was not disturbed"
is "$(asked)" 4 "nobody asked twice"
model_end
no_leftovers "nothing goes on"
done_testing
