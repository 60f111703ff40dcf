#!/usr/bin/env bash
# Every action leaves one line in the project's ai/logs/pc-automation.log; typed text does not.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display
client Target 3366CC 200x100+300+200
# No word of its time.
last() {
	tail -n 1 "$log" | sed 's/^\[[^]]*\] //'
}

"$RALPH" desktop windows >/dev/null
like "$(cat "$log")" '^\[[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z\] \[windows\] \{\} -> success$' "a line has time, action, words and end"
"$RALPH" desktop screenshot --window Target s.png >/dev/null
is "$(last)" '[screenshot] {"file":"s.png","window":"Target"} -> success' "a screenshot"
"$RALPH" desktop focus Target
is "$(last)" '[focus] {"title":"Target"} -> success' "a focus"
"$RALPH" desktop click --window Target 4 5
is "$(last)" '[click] {"x":4,"y":5,"window":"Target","button":"left"} -> success' "a click"
"$RALPH" desktop click --element $'A\n"B"' --role 'push button' --double 2>/dev/null
like "$(last)" '^\[click\] \{"element":"A\\n\\"B\\"","role":"push button","button":"left","double":true\} -> error: no element ' \
	"one that failed, and why, on one line"
"$RALPH" desktop type 'hunter2 ☃'
is "$(last)" '[type] {"length":9} -> success' "a text, by its length"
unlike "$(cat "$log")" hunter2 "and not by its letters"
"$RALPH" desktop type --log-text 'hunter2 ☃'
is "$(last)" '[type] {"length":9,"text":"hunter2 ☃"} -> success' "unless that is asked for"
"$RALPH" desktop type --log-text "$(printf 'x%.0s' {1..60})"
is "$(last)" "[type] {\"length\":60,\"text\":\"$(printf 'x%.0s' {1..50})\"} -> success" "then its first 50"
before=$(wc -l <"$log")
"$RALPH" desktop check >/dev/null
is "$(wc -l <"$log")" "$before" "a check does nothing that would be told"

printf 'torn' >>"$log"
"$RALPH" desktop windows >/dev/null
is "$(tail -n 2 "$log" | head -n 1)" torn "a line that was cut off stays"
is "$(last)" '[windows] {} -> success' "and the next begins a new one"
rm "$log"
for _ in 1 2 3 4 5 6 7 8; do
	"$RALPH" desktop windows >/dev/null &
	pids+=($!)
done
wait "${pids[@]}"
is "$(grep -c '^\[[^]]*\] \[windows\] {} -> success$' "$log")" 8 "eight at once are eight lines"

mkdir -p deep/er other
(cd deep/er && "$RALPH" desktop windows >/dev/null)
is "$(wc -l <"$log")" 9 "the log is the project's, wherever in it we are"
"$RALPH" desktop windows --project other >/dev/null
is "$(wc -l <other/ai/logs/pc-automation.log)" 1 "or the one that was named"

rm "$log"
echo private >"$T/private"
ln -s "$T/private" "$log"
target=$T/bg.$bg.out
presses=$(grep -c button "$target")
run "$RALPH" desktop click --window Target 4 5
exit_is 1 "what cannot be logged"
like "$err" "nothing was done, as it could not be logged" "is not done"
is "$(cat "$T/private") $(grep -c button "$target")" "private $presses" "really not"
end_display
no_leftovers "nothing goes on"
done_testing
