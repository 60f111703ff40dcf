#!/usr/bin/env bash
# W11: after a failure the run goes on, ends with a summary and the promise, and says that it is over.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 exit 1
work_on
exit_is 11 "some failed"
is "$out" "" "no promise is said"
is "$(summary Completed)" "2 (pt-2 pt-3)" "the others are done"
is "$(summary Failed)" "1 (pt-1)" "the failed one is named"
ok "progress.md has the end" progress_says '^- Status: INCOMPLETE$'
not_ok "and does not say RUNNING" progress_says 'Status: RUNNING'

# --fail-fast is for those who want it.
for id in pt-2 pt-3; do ticket "$id"; done
work_on --fail-fast
exit_is 11 "with --fail-fast"
is "$(starts)" 4 "nothing is started after a failure"
done_testing
