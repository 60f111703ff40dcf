#!/usr/bin/env bash
# A state that cannot be read is moved aside and said; the run begins anew.
. "$(dirname "$0")/tickets.sh"

new_project
state=.tf/ralph/dispatch-loop-state.json
n=0
for content in '{"version": 1, "runId"' '[]' '{"version": 1, "maxIterations": "x"}' ''; do
	n=$((n + 1))
	ticket "pt-$n"
	printf '%s' "$content" >$state
	work_on
	exit_is 0 "a run with the state '$content'"
	like "$err" 'corrupt' "says what became of it"
	is "$(starts "pt-$n") $(summary Iterations)" "1 1" "and begins anew: its first ticket is the first it counts"
	is "$(cat .tf/ralph/dispatch-loop-state.corrupt.*.json)" "$content" "it is kept"
	rm -f .tf/ralph/dispatch-loop-state.corrupt.*
done
not_ok "none is left" test -e $state
printf '{"version": 99, "runId": "x"}' >$state
ticket pt-9
work_on
exit_is 1 "a newer version stops"
is "$(cat $state)" '{"version": 99, "runId": "x"}' "and is not touched"
done_testing
