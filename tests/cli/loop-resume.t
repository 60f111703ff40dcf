#!/usr/bin/env bash
# After a crash the run goes on with its own flags, whatever is given now; --new-run begins anew.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-{1..4}; do ticket "$id"; done
does pt-1 exit 1
does pt-2 'work; close_ticket; commit'
does pt-3 'after go; work; close_ticket; commit'
work_on_bg --max 3 --parallel 1
wait_for 20 said "$T/log" '^start pt-3'
run_id=$(jq -r .runId .tf/ralph/dispatch-loop-state.json)
crash "$bg"
echo go >>"$T/log"
work_on --max 50 --parallel 4
exit_is 11 "the run ends as it would have"
is "$(summary Iterations)" 3 "with its own limit"
like "$err" 'warning: .*maxIterations=3' "the mismatch is said"
is "$(summary Completed)" "2 (pt-2 pt-3)" "what was done before counts"
is "$(summary Failed)" "1 (pt-1)" "what failed before, too"
is "$(starts)" 3 "nothing is done twice"
is "$(starts pt-4)" 0 "pt-4 was beyond the limit"

# A run that is over is not resumed; one that is not can be given up.
does pt-4 'after go-again; work; close_ticket; commit'
does pt-1 'work; close_ticket; commit'
work_on_bg --max 1
wait_for 20 said "$T/log" '^start pt-1 1' 2
wait "$bg"
work_on_bg --max 1
wait_for 20 said "$T/log" '^start pt-4'
new_id=$(jq -r .runId .tf/ralph/dispatch-loop-state.json)
unlike "$new_id" "^$run_id$" "a run after the end is a new one"
kill -TERM "$bg"
end_bg 20 "$bg"
does pt-4 'work; close_ticket; commit'
work_on --new-run --max 7
exit_is 0 "--new-run"
like "$err" 'max=7' "has the flags that are given now"
done_testing
