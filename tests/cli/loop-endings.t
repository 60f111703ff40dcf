#!/usr/bin/env bash
# How a run can end: each has its exit code and its sentence.
. "$(dirname "$0")/tickets.sh"

new_project
work_on
exit_is 0 "nothing to do"
is "$out" "$sigil" "is complete"
like "$err" 'Checking backlog... empty' "and said"

ticket pt-1
work_on
exit_is 0 "all done"
is "$out" "$sigil" "is complete"

ticket pt-2
ticket pt-3
work_on --max 1
exit_is 10 "more tickets than iterations"
is "$out" "" "there is no promise"
is "$(summary Iterations)" 1 "one was started"
ok "progress.md says so" progress_says '^- Status: INCOMPLETE$'
work_on --max 1
exit_is 0 "as many as there are is not too many"

ticket pt-4
ticket pt-5 deps=pt-4
does pt-4 exit 1
work_on
exit_is 11 "some failed"
is "$(starts pt-5)" 0 "what waits for a failed one is not started"

does pt-4 'work; close_ticket; commit'
does pt-5 'work; close_ticket; commit'
work_on
exit_is 0 "they can be tried again in a new run"

ticket pt-6 deps=pt-7
ticket pt-7 deps=pt-6
ticket pt-8 deps=pt-nowhere
work_on
exit_is 12 "only blocked ones are left"
like "$err" 'pt-6 -> pt-7 -> pt-6' "the cycle is named"
like "$err" 'pt-8.*pt-nowhere' "so is what does not exist"
is "$(starts)" 6 "none of them was started"

config promiseOnComplete false
rm .tickets/pt-[678].md
git commit -qam 'no more'
work_on
exit_is 0 "without promiseOnComplete"
is "$out" "" "nothing is said on stdout"
done_testing
