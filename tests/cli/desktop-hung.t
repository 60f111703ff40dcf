#!/usr/bin/env bash
# A program or a display that hangs takes nobody with it.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display

# within SECONDS NAME: what was timed took no longer.
timed() {
	local start=${EPOCHREALTIME/./}
	run "$@"
	took=$((${EPOCHREALTIME/./} - start))
}
within() {
	ok "$2" test "$took" -lt "$(patience "$1")"000000
}
offered() {
	"$RALPH" desktop click --project "$T" --element "$1" --role 'no such role' 2>&1 | grep -q 'and the role'
}

dialog --question --title Hanging --text 'Do it?' --ok-label 'Hangs' --cancel-label 'Also hangs'
hanging=$bg
wait_for 30 there Hanging
wait_for 30 offered Hangs
dialog --question --title Living --text 'Do it?' --ok-label 'Lives' --cancel-label 'No'
living=$bg
wait_for 30 there Living
wait_for 30 offered Lives
kill -STOP "$hanging"

timed "$RALPH" desktop click --timeout 4s --element Hangs
exit_is 124 "a button of a program that hangs is not found in time"
like "$err" "; process $hanging did not answer" "and the program named"
within 5 "within the time it was given"
timed "$RALPH" desktop type --timeout 4s --window Hanging lost
exit_is 124 "nothing is typed to it"
like "$err" "the program of the window 'Hanging' does not answer" "as it does not answer"
within 5 "which is known in time"
timed "$RALPH" desktop screenshot --window Hanging hanging.png
exit_is 0 "what its window shows can still be seen"
ok "in a picture" test -s hanging.png
timed "$RALPH" desktop click --element Lives
exit_is 0 "the button of another program is clicked"
end_bg 20 "$living"
is "$status" 0 "and felt"
(sleep 3 && kill -CONT "$hanging") &
run "$RALPH" desktop type --timeout 60s --window Hanging late
exit_is 0 "a program that answers late, but in the time that was given, is waited for"
run "$RALPH" desktop click --element Hangs
exit_is 0 "once it goes on, it can be clicked"
end_bg 20 "$hanging"
is "$status" 0 "and has not got what was meant to be typed"

kill -STOP "$display_bus"
timed "$RALPH" desktop click --timeout 1s --element OK
exit_is 69 "a bus that hangs is none"
within 3 "in time"
timed "$RALPH" desktop check --timeout 1s --json
exit_is 0 "and does not hide the display"
is "$(jq -c '[.ok, .elements]' <<<"$out")" '[true,false]' "which is there without it"
kill -CONT "$display_bus"

kill -STOP "$display_x"
for action in windows screenshot 'focus X' 'click 1 1' 'type x' 'check --json'; do
	# shellcheck disable=SC2086 # words
	timed "$RALPH" desktop $action --timeout 500ms
	exit_is 124 "with a display that hangs, '$action' says so"
	within 3 "in time"
done
kill -CONT "$display_x"
run "$RALPH" desktop check
exit_is 0 "once it goes on, so do we"
end_display
no_leftovers "nothing goes on"
done_testing
