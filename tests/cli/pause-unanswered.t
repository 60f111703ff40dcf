#!/usr/bin/env bash
# A supervisor that stands still does not answer: whoever asked for a pause is told that it may still come, and who
# asked for a stop that nothing was done.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'wait-file go'
wait_for 30 field_is agent '.sessions[0].pid != null' true
kill -STOP "$bg"
run "$RALPH" pause agent
exit_is 1 "a pause that is not answered is no success"
like "$err" "does not answer; whether it will pause the loop is not known: it may still do so when it goes on" "and not known to have failed"
run "$RALPH" stop agent
exit_is 1 "nor is a stop"
like "$err" "does not answer, and was asked for nothing more" "which was not even asked for"
kill -CONT "$bg"
wait_for 30 field_is agent .status paused && pass "the pause comes when the supervisor goes on"
"$RALPH" resume agent >resumed
touch go
end_bg 60 "$bg"
exit_is 0 "and the loop goes through, since nothing has stopped it"
no_leftovers "nothing goes on"
done_testing
