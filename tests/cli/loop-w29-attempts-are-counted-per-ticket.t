#!/usr/bin/env bash
# W29: attempts are counted for each ticket by itself, in parallel too; retries are no iterations.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
config maxIterationsPerTicket 2
for id in pt-1 pt-2; do
	ticket "$id"
	does "$id" <<'SCRIPT'
work "attempt $RALPH_ATTEMPT of $id"
[[ $RALPH_ATTEMPT -gt 1 ]] || exit 1
close_ticket; commit
SCRIPT
done
work_on --parallel 2
exit_is 0 "both are done in the end"
is "$(grep '^start' "$T/log" | sort | xargs)" "start pt-1 1 start pt-1 2 start pt-2 1 start pt-2 2" "with two attempts each"
is "$(summary Completed)" "2 (pt-1 pt-2)" "they count as completed"
is "$(summary Failed)" 0 "not as failed"
is "$(git show main:out/pt-1)" "attempt 2 of pt-1" "what succeeded landed"
