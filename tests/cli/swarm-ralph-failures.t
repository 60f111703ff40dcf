#!/usr/bin/env bash
# Scenarios: consecutive failures trigger backoff, five consecutive failures stops loop, done pattern stops loop,
# inactivity timeout triggers restart (W1, W2: exit codes are seen, and a pattern is found whenever it is printed).
. "$(dirname "$0")/../cli/lib.sh"

echo 'say All tasks complete when it is so' >PROMPT.md
spawn=("$SWARM" spawn --ralph --prompt-file PROMPT.md --name)
run "${spawn[@]}" flaky --max-iterations 10 -- "$AGENT" -e 'when-iteration 3+ exit 0; exit 1'
exit_is 0 "a success after failures counts"
like "$out" 'iteration 1 failed \(exit: 1\), retrying in 1s \(attempt 1/5\)' "after the 1st: 1 s"
like "$out" 'iteration 2 failed \(exit: 1\), retrying in 2s \(attempt 2/5\)' "after the 2nd: 2 s"
run "${spawn[@]}" bad --max-iterations 10 --max-failures 2 -- "$AGENT" -e 'exit 7'
exit_is 1 "too many failures: exit 1, so that '|| notify-send' works"
like "$out" '\[ralph\] bad: 2 consecutive failures, stopping loop' "it says why"
is "$(jq -r .status "$RALPH_HOME/ralph/bad/state.json")" failed "the state is failed"

run "${spawn[@]}" finished --max-iterations 10 --done-pattern 'All tasks complete' -- \
	"$AGENT" -e 'sh cat; when-iteration 1 exit 0; println All tasks complete'
exit_is 0 "done pattern: exit 0, so that '&& notify-send' works"
like "$out" '\[ralph\] finished: done pattern matched, stopping loop' "it says so"
is "$(jq -r '"\(.status) \(.current_iteration)"' "$RALPH_HOME/ralph/finished/state.json")" "stopped 2" \
	"what the prompt says does not count, only what the agent says"
run "${spawn[@]}" idle --max-iterations 2 --inactivity-timeout 1 -- "$AGENT" -e 'when-iteration 1 hang'
exit_is 0 "inactivity: the next iteration is started"
like "$out" '\[ralph\] idle: inactivity timeout \(1s\), restarting' "it says so"
ok "the log, too" grep -q '\[TIMEOUT\] iteration 1 inactivity_timeout=1s' "$RALPH_HOME/ralph/idle/iterations.log"
run "${spawn[@]}" short --max-iterations 1 -- "$AGENT" -e 'println x'
is "$(tail -n 2 <<<"$(spans "$out")")" "[ralph] short: iteration 1 completed (exit: 0, duration: T)
[ralph] short: loop complete after 1 iterations" "W21: one iteration is one"
"$SWARM" clean --all >cleaned
no_leftovers "nothing goes on"
done_testing
