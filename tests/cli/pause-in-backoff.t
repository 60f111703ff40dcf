#!/usr/bin/env bash
# Pausing, resuming and stopping do not wait for a backoff to pass.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# shellcheck disable=SC2016 # for the shell that is the agent
run_bg "${loop[@]}" agent --delay 10m --max-iterations 20 --max-failures 20 -- sh -c '"$0" -e "count starts"; test -e fixed' "$AGENT"
in_backoff agent "$RALPH" pause agent
is "$(field agent '[.status, .hold_until] | join(" ")')" "paused " "a pause ends the wait at once"
run "$RALPH" status agent
unlike "$out" 'Waiting' "status shows none"
is "$(wc -l <starts)" "$failures" "no agent was started"
touch fixed
run "$RALPH" resume agent
wait_for 20 said starts "^$((failures + 1)) "
wait_for 20 field_is agent '.hold_until != null' true
run "$RALPH" status agent
like "$out" 'Waiting: delay, (10m|10m 0s|[89]m [0-9]+s) left' "status shows a wait and what is left of it"
SECONDS=0
run "$RALPH" stop agent
exit_is 0 "stop does not wait for it either"
ok "it came back at once" test "$SECONDS" -lt 60
end_bg 20 "$bg"
exit_is 3 "the loop was stopped before it was complete"
no_leftovers "nothing goes on"
done_testing
