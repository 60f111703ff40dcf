#!/usr/bin/env bash
# Nothing hangs when the only ready tickets are excluded, and every end names what is blocked.
. "$(dirname "$0")/tickets.sh"
plan 9

new_project
ticket pt-1
ticket pt-2 deps=pt-1
ticket pt-3 deps=nope
does pt-1 exit 1
work_on --parallel 2 --max 50
exit_is 11 "the only ready ticket has failed"
is "$(starts)" 1 "it is not tried again"
like "$err" '- Failed: 1 \(pt-1\)' "and the run is over"
like "$err" 'pt-3 waits for nope, which does not exist; pt-2 waits for pt-1' "what is blocked is named, and what it waits for"
like "$(cat .tf/ralph/progress.md)" 'pt-3 waits for nope' "also in progress.md"

# At the limit, whether or not something failed before.
rm .tickets/*
ticket lim-1
ticket lim-2
ticket lim-3 deps=gone
work_on --max 1
exit_is 10 "as many as allowed"
like "$err" $'there are more\\.\nlim-3 waits for gone, which does not exist' "what is blocked is named at the limit"
ticket lim-0 priority=0
does lim-0 exit 1
work_on --max 1
exit_is 11 "one failed, and there are more"
like "$err" 'there are more\. lim-3 waits for gone, which does not exist' "what is blocked is named there, too"
