#!/usr/bin/env bash
# W1: a worker's exit status is never stolen, however busy git is: what exits with 3 has failed.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
for id in pt-1 pt-2 pt-3 pt-4; do ticket "$id"; done
does pt-2 exit 3
work_on --parallel 4
exit_is 11 "one failed"
like "$err" $'\npt-2: FAILED \\(exit 3\\)\n' "with its own exit status"
unlike "$err" 'pt-2: COMPLETE' "and never for a success"
is "$(summary Completed)" "3 (pt-1 pt-3 pt-4)" "the others are done"
is "$(starts pt-2)" 1 "it was tried once"
