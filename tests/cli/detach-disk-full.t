#!/usr/bin/env bash
# "started" is said only of a loop that is on disk; what keeps it from that is said on the terminal.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# Every write that happens before the journal has the loop fails once, one after the other.
told=0 silent=0
for ((k = 1; k < 60; k++)); do
	run env RALPH_FAULT="ENOSPC@$k" RALPH_FAULT_ROLE=supervisor RALPH_FAULT_LOG="$T/log.$k" \
		"${loop[@]}" "agent$k" --detach --max-iterations 1 -- "$AGENT" -e 'wait-file go'
	if [[ $status -eq 0 ]]; then
		[[ $out == "started agent$k in the background"* && $(field "agent$k" '.iteration != null') == true ]] || silent=$((silent + 1))
		grep -q "^$k " "$T/log.$k" || break
	elif [[ $out == *started* || $err != "ralph: error: "*"No space left on device"* ]]; then
		diag "write $k: exit status $status: $out / $err"
		silent=$((silent + 1))
	else
		told=$((told + 1))
	fi
done
is "$silent" 0 "what is said is true"
ok "$told starts of $k were refused on the terminal" test "$told" -ge 1
ok "among them those that the journal could not take" test "$(sed -n 's/ write journal.jsonl$//p' "$T/log.$k" | head -n 1)" -le "$told"
touch go
"$RALPH" ls --format names | while read -r name; do
	"$RALPH" wait "$name" || "$RALPH" stop "$name"
done >ended 2>&1
no_leftovers "nothing goes on"
done_testing
