#!/usr/bin/env bash
# ralph desktop type: whatever the text, a real dialog reads exactly that; the keyboard is left as
# it was.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display
"$desktop_client" keymap >before

# reads TEXT NAME [OPTION...]: it is typed into a dialog, which prints what it got.
reads() {
	local text=$1 name=$2
	shift 2
	dialog --entry --title Ask --text 'What?'
	wait_for 30 there Ask
	run "$RALPH" desktop type --window Ask --timeout "$(patience 10)s" "$@" -- "$text"
	exit_is 0 "$name is typed"
	run "$RALPH" desktop type $'\n'
	exit_is 0 "so is Return, to who is active"
	end_bg 20 "$bg"
	is "$out" "$text" "and read as it is"
	wait_for 60 vanished Ask # a busy window manager lists a window that is gone for a while
}
# shellcheck disable=SC2016 # a text
reads 'Plain ASCII: aZ09 ~!@#$%^&*()_+`-={}|[]\:";<>?,./'"'" "what the keyboard has"
reads 'naïve → 日本 😀' "what it lacks"
reads '--role' "what looks like an option"
"$desktop_client" caps
reads 'Mixed Case' "with Caps Lock on"
"$desktop_client" caps
"$desktop_client" keymap >after
ok "the keyboard is as it was" cmp before after

dialog --forms --title Form --text Both --add-entry One --add-entry Two --separator '|'
wait_for 30 there Form
printf 'first\tsecond ✓' >text
run bash -c '"$RALPH" desktop type --window Form --stdin <text' # run has no input
exit_is 0 "standard input is typed, and Tab goes on"
run "$RALPH" desktop click --window Form --element OK
end_bg 20 "$bg"
is "$out" 'first|second ✓' "to the next field"

run "$RALPH" desktop type $'a\033b'
exit_is 1 "an escape is no text"
like "$err" "control character \(U\+001B, at byte 2\)" "as it says"
run "$RALPH" desktop type $'\xff'
exit_is 1 "nor is what is no UTF-8"
run "$RALPH" desktop type
exit_is 2 "no text is wrong usage"
run "$RALPH" desktop type lost
exit_is 1 "without a window there is nobody to type to"
like "$err" "no window is active" "as it says"

# Some window managers take long over every change of the keyboard; these are many.
end_display
start_display bare
"$desktop_client" keymap >before
reads 'Ελλάδα русский עברית 🏳️‍🌈 é' "what is written otherwise"
reads "$(perl -CO -e 'print chr for 0x4e00 .. 0x4e00 + 299')" "more than there are keys to spare"

# Ended in the middle of it, it still gives back what it borrowed.
client Slow 3366CC 200x100+300+200
perl -CO -e 'print map { chr(0x4e00 + $_ % 500) } 0 .. 20000' >long
"$RALPH" desktop type --window Slow --timeout 60s --stdin <long 2>"$T/long.err" &
typing=$!
changed() {
	"$desktop_client" keymap >during
	! cmp -s before during
}
wait_for 20 changed
kill -TERM "$typing"
status=0
wait "$typing" || status=$?
is "$status" 143 "one that was ended in the middle says so"
like "$(tail -n 1 "$log")" '\[type\] .* -> error: only [0-9]+ of 20001 characters were typed' "and leaves its line"
unchanged() {
	! changed
}
ok "and the keyboard as it was" unchanged
run "$RALPH" desktop type --window Slow --timeout 300ms -- "$(cat long)"
exit_is 124 "a text that takes too long is cut"
like "$err" "only [0-9]+ of 20001 characters were typed" "at a place that is told"
ok "and leaves the keyboard as it was" unchanged
end_display
no_leftovers "nothing goes on"
done_testing
