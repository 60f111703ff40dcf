#!/usr/bin/env bash
# W15: a ticket that has failed is skipped, although it is still the first that is ready.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
ticket pt-0 priority=0
ticket pt-1
ticket pt-2
does pt-0 exit 1
work_on --max 3
exit_is 11 "one failed"
is "$(summary Completed)" "2 (pt-1 pt-2)" "both others are done"
is "$(starts pt-0)" 1 "the first was tried once"
is "$(summary Iterations)" 3 "no iteration was burnt"
