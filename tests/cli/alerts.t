#!/usr/bin/env bash
# An alert is a line on the console, an event in the journal, and a run of --on-alert.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --max-iterations 9 --max-failures 1 --on-alert 'cat >>alerts; pwd >where' -- "$AGENT" -e 'exit 1'
exit_is 1 "a loop that fails"
is "$err" "[ralph] demo: ALERT: loop failed: 1 consecutive failures" "alerts on the console"
is "$(jq -r '[.event, .loop, .text] | join("|")' alerts)" "alert|demo|loop failed: 1 consecutive failures" \
	"the command gets the event as JSON on stdin"
is "$(wc -l <alerts)" 1 "once"
is "$(jq -r '.facts[] | select(.fact == "alert") | .text' "$RALPH_HOME/loops/demo/journal.jsonl")" \
	"loop failed: 1 consecutive failures" "and the journal has it"

run "${loop[@]}" costly --max-iterations 1 --on-alert 'cat >>costly.alerts' --done-pattern '(a|aa)+$' -- \
	"$AGENT" -e 'println aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; println aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'
exit_is 10 "a pattern that is too expensive does not end the loop, and never matched"
is "$(jq -r .text costly.alerts | sort -r)" "done pattern is too expensive to match; it is switched off
1 iteration used, and the done pattern never matched" "each is said once"

run "${loop[@]}" broken --max-iterations 1 --max-failures 1 --on-alert 'exit 5' -- "$AGENT" -e 'exit 1'
exit_is 1 "a command that fails changes nothing"
like "$err" "ralph: warning: the --on-alert command ended with exit code 5" "and is said"
no_leftovers "nothing goes on"
done_testing
