#!/usr/bin/env bash
# Between two agents send, logs, peek and attach wait for the next one, or say what is true in the user's words.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" quick --pty --prompt-via arg --max-iterations 5000 -- sh -c 'trap "" INT; echo ready; sleep 0.15'
loop_pid=$bg
wait_for 20 field_is quick '.iteration > 1' true

# Every answer is one of these; anything else is kept.
allowed="^(ralph|swarm): error: (quick: )?(the agent has ended|the agent has just ended; the next one is being started \\('quick'\\)|the agent has just ended; whether it read what was sent is not known|worker 'quick' is between two agents just now)$"
: >"$T/strange"
# An interrupt that comes before the agent's trap ends it, and after a failure the loop does wait.
waits_after_interrupt() {
	[[ $err == "ralph: error: no agent of 'quick' is running now" && $(field quick .total_failures) -gt 0 ]]
}
try() {
	local label=$1
	shift
	run "$@"
	[[ $status -eq 0 && -z $err || $status -eq 1 && $err =~ $allowed ]] || waits_after_interrupt ||
		echo "$label: $status $err" >>"$T/strange"
	[[ $status -ne 0 ]] || echo "$label" >>"$T/went-well"
}
for ((i = 0; i < 40; i++)); do
	try send "$RALPH" send quick hello
	try logs "$RALPH" logs quick
	try peek "$RALPH" peek quick
	try swarm-send "$SWARM" send quick hello
	try interrupt "$SWARM" interrupt quick
done
is "$(sort "$T/strange" | uniq -c | sort -rn | head -n 5)" "" "no answer is about sockets, directories and sessions"
for command in logs peek; do
	ok "$command mostly gets through" test "$(grep -cx "$command" "$T/went-well")" -gt 20
done
run "$RALPH" pause quick
wait_for 20 field_is quick '.sessions | length' 0
run "$RALPH" send quick hello
is "$status $err" "1 ralph: error: no agent of 'quick' is running now" "where no agent will come, nobody says that one will"
run "$RALPH" stop quick
end_bg 30 "$loop_pid"

# The last words of an agent whose supervisor and keeper are gone, too.
run_bg "${loop[@]}" dead --pty --prompt-via arg --max-iterations 1 -- sh -c 'sleep 600'
loop_pid=$bg
wait_for 20 field_is dead '.sessions[0].pid != null' true
crash "$loop_pid" "$(keeper_of dead)"
run "$RALPH" send dead hello
is "$status $err" "1 ralph: error: no agent of 'dead' is running now" "nor of a loop that crashed"
run timeout 60 script -qec "$(printf '%q attach dead' "$RALPH")" /dev/null
unlike "$out" 'waiting for the next one' "attach does not wait for an agent that nobody starts"
exit_is 0 "and ends"
no_leftovers "nothing goes on"
done_testing
