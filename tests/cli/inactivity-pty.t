#!/usr/bin/env bash
# An agent with a terminal whose screen stands still is restarted; any change of it counts.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
second=$(patience 1)
run "${loop[@]}" agent --pty --inactivity-timeout "$second" --max-iterations 2 -- "$AGENT" -e 'count starts; println thinking; hang'
exit_is 11 "an agent that hangs does not hold up the loop, and is no success"
is "$out" "[ralph] agent: starting iteration 1/2
[ralph] agent: inactivity timeout (${second}s), restarting
[ralph] agent: starting iteration 2/2
[ralph] agent: inactivity timeout (${second}s)
[ralph] agent: 2 of 2 iterations ended idle" "the known words; the last one is not restarted"
is "$(field agent '.total_failures')" 0 "inactivity is no failure"
mapfile -t at < <(cut -d ' ' -f 3 starts)
ok "it was given its second" test $((at[1] - at[0])) -ge "${second}000000000"
run "${loop[@]}" busy --pty --inactivity-timeout "$second" --max-iterations 1 -- "$AGENT" -e "spinner ${second}500; println x"
like "$out" 'iteration 1 completed \(exit: 0, duration: ([1-9]|[1-9][0-9])s\)' "a spinner is activity"
run_bg "${loop[@]}" plain --pty --max-iterations 1 -- "$AGENT" -e 'hang'
wait_for 20 field_is plain '.sessions[0].pid != null' true
is "$(field plain .inactivity_timeout)" 60 "without the option it is a minute"
run "$RALPH" stop plain
exit_is 0 "(the loop can be stopped)"
no_leftovers "nothing goes on"
done_testing
