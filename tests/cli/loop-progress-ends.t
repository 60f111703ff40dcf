#!/usr/bin/env bash
# progress.md calls a run that is over COMPLETE when its exit code is 0, else INCOMPLETE, and no third word;
# the reason stands in words on a line of its own, as long as the next run has not begun.
. "$(dirname "$0")/tickets.sh"

# ends CODE WORD REGEX WHAT: of the run that is just over
ends() {
	exit_is "$1" "$4: exit code $1"
	is "$(sed -n '/^## Current State/,/^## Stat/s/^- Status: //p' .tf/ralph/progress.md)" "$2" "$4: the state is $2"
	is "$(grep -A 2 '^## Loop ' .tf/ralph/progress.md | sed -n 's/^- Status: //p' | tail -n 1)" "$2" "$4: so is the last block"
	is "$(sed -n '/^## Current State/,/^## Stat/s/^- Reason: //p' .tf/ralph/progress.md)" \
		"$(sed -n '/^## Loop /,$s/^- Reason: //p' .tf/ralph/progress.md)" "$4: both give the same reason"
	like "$(sed -n '/^## Current State/,/^## Stat/s/^- Reason: //p' .tf/ralph/progress.md)" "$3" "$4: in words"
	run "$RALPH" loop status
	like "$out" "Status: $2" "$4: loop status says it"
}

# Only the last run's block is compared.
again() {
	rm .tf/ralph/progress.md
	work_on "$@"
}

new_project
is "$(grep Status .tf/ralph/progress.md)" "- Status: IDLE" "before the first run it is idle"
ticket pt-1
again
ends 0 COMPLETE '^$' "all done"
ticket pt-2
ticket pt-3
again --max 1
ends 10 INCOMPLETE '^max_tickets\. As many tickets as allowed were started; there are more\.$' "more tickets than iterations"
does pt-3 exit 1
again
ends 11 INCOMPLETE '^some_failed\. Some tickets failed' "one failed"
rm .tickets/pt-3.md
ticket pt-6 deps=pt-7
ticket pt-7 deps=pt-6
again
ends 12 INCOMPLETE '^blocked\. Only tickets are left .*pt-6 -> pt-7 -> pt-6' "only blocked ones are left"
config promiseOnComplete '"always"'
again
ends 12 COMPLETE '^blocked\. Only tickets' "the original's way"
config promiseOnComplete true
config ticketQuery '"exit 9"'
again
ends 13 INCOMPLETE '^query_error\. The tickets could not be read' "a query that fails"
config ticketQuery null
rm .tickets/pt-[67].md
ticket pt-8
does pt-8 touch "$T/here" ';' hang
rm .tf/ralph/progress.md
work_on_bg --new-run
wait_for 60 test -e "$T/here"
wait_for 60 progress_says '^- Status: RUNNING$'
not_ok "while it runs there is no reason" progress_says '^- Reason:'
kill -INT "$bg"
end_bg 60 "$bg"
ends 130 INCOMPLETE "^interrupted\. Stopped before the end; 'ralph loop' goes on\.\$" "Ctrl-C"
no_leftovers "nothing goes on"
done_testing
