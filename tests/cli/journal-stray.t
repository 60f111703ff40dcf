#!/usr/bin/env bash
# An agent that writes into its loop's journal neither stops the loop nor blocks its name.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
file=$RALPH_HOME/loops/agent/journal.jsonl
run_bg "${loop[@]}" agent --max-iterations 3 --on-alert 'cat >>alerts' -- \
	"$AGENT" -e "when-iteration 2 sh echo from the agent >>$file; when-iteration 2 touch written; when-iteration 2 wait-file go"
wait_for 20 test -e written
is "$(field agent '[.status, .iteration] | join(" ")')" "running 2" "while the supervisor has not noticed, status is not disturbed"
touch go
end_bg 20 "$bg"
exit_is 0 "the loop goes on"
like "$err" "warning: agent: somebody else wrote to journal.jsonl behind line [0-9]+; what stood there is in journal.corrupt.[0-9TZ]+.jsonl now" "says what happened"
ok "and alerts" grep -q 'somebody else wrote' alerts
ok "the stray line is kept" grep -qx 'from the agent' "$RALPH_HOME"/loops/agent/journal.corrupt.*.jsonl
not_ok "and not in the journal" grep -q 'from the agent' "$file"
is "$(field agent '[.status, .iteration] | join(" ")')" "stopped 3" "status says how it ended"

# When nobody is there to notice.
run_bg "${loop[@]}" crashed --max-iterations 3 -- "$AGENT" -e 'when-iteration 2 touch second; when-iteration 2 hang'
wait_for 20 test -e second
wait_for 20 field_is crashed '.sessions[0].pid != null' true
crash "$bg"
file=$RALPH_HOME/loops/crashed/journal.jsonl
echo 'a stray line' >>"$file"
for command in status resume pause logs; do
	run timeout 90 "$RALPH" "$command" crashed
	like "$status $err" '^1 ralph: error: journal.jsonl is damaged in line [0-9]+.*ralph repair crashed' "$command says what is wrong, and what helps"
done
run timeout 90 "${loop[@]}" crashed --max-iterations 1 -- "$AGENT" -e 'touch started'
like "$status $err" '^1 ralph: error: .*ralph repair crashed' "a new loop of that name, too"
agent=$(jq -r .agent.pid "$RALPH_HOME"/loops/crashed/sessions/*-2/keeper.json)
run "$RALPH" repair --yes crashed
exit_is 0 "repair takes it out"
is "$(cat "$RALPH_HOME"/loops/crashed/journal.corrupt.*.jsonl | tail -n 1)" 'a stray line' "and keeps it"
run "$RALPH" stop crashed
exit_is 0 "the agent that was left can be ended"
ok "and is gone" gone "$agent"
run timeout 90 "${loop[@]}" crashed --max-iterations 1 -- "$AGENT" -e 'println again'
exit_is 0 "and the name can be used again"

# A supervisor knows its state by heart: it can be ended, and only then be repaired.
run_bg "${loop[@]}" live --max-iterations 3 -- "$AGENT" -e 'touch third; hang'
wait_for 20 test -e third
wait_for 20 field_is live '.sessions[0].pid != null' true
file=$RALPH_HOME/loops/live/journal.jsonl
printf '?' | dd of="$file" bs=1 seek=30 conv=notrunc status=none
run "$RALPH" repair --yes live
like "$status $err" "^1 ralph: error: loop 'live' is running.*ralph stop live" "a loop that runs is not repaired"
run timeout 90 "$RALPH" stop live
like "$err" "warning: live: journal.jsonl is damaged in line 1" "stop says that its journal is damaged"
end_bg 20 "$bg"
no_leftovers "and ends it all the same"
run "$RALPH" repair --yes live
exit_is 0 "then it is repaired"
run "$RALPH" status live
exit_is 0 "and can be shown"
done_testing
