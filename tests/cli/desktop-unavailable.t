#!/usr/bin/env bash
# Without a display, a bus or the helper there is one clear sentence, and exit code 69.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

# Also where ralph was built without its helper.
mkdir lonely
cp "$RALPH" lonely/ralph
run lonely/ralph desktop windows
exit_is 69 "without the helper nothing can be done"
like "$err" '^ralph: error: this ralph was built without ralph-desktop, .*libxcb1-dev' "and it says how to get it"
run lonely/ralph desktop check --json
exit_is 69 "nor does a check find anything"
is "$(jq -c .ok <<<"$out")" false "but its answer is JSON"
run lonely/ralph desktop click
exit_is 2 "what is wrong usage is so without it, too"
run "$RALPH" desktop
exit_is 2 "as is no action at all"
like "$err" 'ralph help desktop' "and help is named"
run "$RALPH" desktop focsu
exit_is 2 "or an unknown one"
like "$err" "desktop focus" "for which a known one is meant"

desktop_needs
for action in windows 'focus X' 'click 1 1' 'click --element OK' 'type x' screenshot; do
	# shellcheck disable=SC2086 # words
	run "$RALPH" desktop $action
	exit_is 69 "without a display, '$action' is not available"
	is "$err" "ralph: error: there is no display (DISPLAY is not set)" "as it says"
done
is "$(grep -c -- '-> error: there is no display' "$log")" 6 "which the log knows"
run "$RALPH" desktop check
exit_is 69 "a check finds none"
run "$RALPH" desktop check --json
is "$(jq -c . <<<"$out")" '{"ok":false,"error":"there is no display (DISPLAY is not set)"}' "also as JSON"
run env DISPLAY=:7777 "$RALPH" desktop windows
exit_is 69 "a display that is not there"
is "$err" "ralph: error: the display ':7777' does not answer" "is named"
run env WAYLAND_DISPLAY=wayland-0 "$RALPH" desktop windows
like "$err" "Wayland session without X" "Wayland is, too"

start_display bare
run env -u DBUS_SESSION_BUS_ADDRESS "$RALPH" desktop click --element OK
exit_is 69 "without a bus no element is found"
like "$err" "there is no accessibility bus \(AT-SPI\) that answers" "as it says"
run env -u DBUS_SESSION_BUS_ADDRESS "$RALPH" desktop check --json
exit_is 0 "but the display is there"
is "$(jq -c '[.ok, .width, .height, .window_manager, .input, .elements]' <<<"$out")" '[true,1024,768,null,true,false]' \
	"and what it can do is told"
run "$RALPH" desktop check
like "$out" 'screen +yes: :[0-9]+, 1024 by 768 pixels' "also in words"
like "$out" 'window manager +no' "with what is missing"
end_display
no_leftovers "nothing goes on"
done_testing
