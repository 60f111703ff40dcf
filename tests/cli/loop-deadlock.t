#!/usr/bin/env bash
# Nothing hangs when the only ready tickets are excluded, and every end names what is blocked.
. "$(dirname "$0")/tickets.sh"
plan 16

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

# Stopped from elsewhere, by Ctrl-C, and out of time.
rm .tickets/*
ticket s-1
ticket s-2 deps=s-1
ticket s-3 deps=gone
does s-1 'hang'
named='s-3 waits for gone, which does not exist; s-2 waits for s-1'
work_on_bg
wait_for 60 said "$T/log" '^start s-1'
run "$RALPH" stop project-loop
end_bg 60 "$bg"
like "$err" "'ralph loop' goes on\. $named" "what is blocked is named after ralph stop"
like "$("$RALPH" status project-loop)" "Message: $named" "ralph status has it"
like "$(cat .tf/ralph/progress.md)" "stopped\. .*$named" "and so has progress.md"
work_on_bg
twice() { [[ $(starts s-1) -eq 2 ]]; }
wait_for 60 twice
ticket s-4 deps=away
kill -INT "$bg"
end_bg 60 "$bg"
exit_is 130 "interrupted"
like "$err" "$named; s-4 waits for away, which does not exist|s-4 waits for away, which does not exist; s-2 waits for s-1" \
	"what is blocked is named after Ctrl-C, as it stands now"
rm .tickets/s-4.md
config maxRuntimeMs 1000
work_on --new-run
exit_is 10 "out of time"
like "$err" "there are more tickets\. $named" "what is blocked is named when the time is used"
