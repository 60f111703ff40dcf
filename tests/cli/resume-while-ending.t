#!/usr/bin/env bash
# A loop that is just ending cannot be resumed into nowhere.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkfifo go
run_bg "${loop[@]}" agent --max-iterations 3 --max-failures 1 --on-alert 'touch alerted; read x <go' -- \
	"$AGENT" -e 'exit 1'
wait_for 20 test -e alerted
run "$RALPH" resume agent
exit_is 1 "it is refused while the alert runs"
like "$err" 'just ending; try again' "with what to do"
echo >go
end_bg 20 "$bg"
is "$status" 1 "the loop ends as it would have"
is "$(field agent .iteration)" 1 "and nothing was started"
run "$RALPH" resume --foreground agent
is "$(field agent .iteration)" 2 "afterwards it can be resumed"
no_leftovers "nothing is left"
done_testing
