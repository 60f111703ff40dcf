#!/usr/bin/env bash
# ralph status shows how one loop stands, in the known block.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --pty --inactivity-timeout 60 --done-pattern 'All tasks complete' --max-iterations 20 -- \
	"$AGENT" -e 'when-iteration 1 exit 1; when-iteration 3 touch third; when-iteration 3 hang'
wait_for 30 test -e third
wait_for 20 field_is agent '.sessions[0].pid != null' true
pid=$(agent_of agent)
run "$RALPH" status agent
exit_is 0 "it succeeds"
time='[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
like "$out" "^Ralph Loop: agent
Status: running
Directory: $PWD
Iteration: 3/20
Started: $time
Current iteration started: $time
Consecutive failures: 0
Total failures: 1
Inactivity timeout: 60s
Done pattern: All tasks complete
Agent: pid $pid\$" "the known block, the directory and the agent's pid"

run "$RALPH" status --json agent
is "$(jq -c '[.name, .status, .supervised, .iteration, .max_iterations, .consecutive_failures, .total_failures, .inactivity_timeout, .done_pattern, .sessions[0].pid]' <<<"$out")" \
	"[\"agent\",\"running\",true,3,20,0,1,60,\"All tasks complete\",$pid]" "--json has the same"

is "$(jq -r .cwd <<<"$out")" "$PWD" "and the directory"
run "$SWARM" ralph status agent
unlike "$out" 'Directory' "swarm's block has no such line"

crash "$bg"
run "$RALPH" status agent
like "$out" 'Status: crashed \(its supervisor is gone; go on with: ralph resume agent\)' \
	"after a crash it says so, and what to type"
"$RALPH" stop agent >stopped
run "$RALPH" status agent
like "$out" '
Status: stopped
.*
Exit reason: stopped$' "after the end, it says why"
run "$RALPH" status nobody
exit_is 1 "an unknown name is an error"
is "$err" "ralph: error: no loop named 'nobody' (ralph ls shows those there are)" "that says where to look"
no_leftovers "nothing goes on"
done_testing
