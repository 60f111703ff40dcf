#!/usr/bin/env bash
# swarm ralph status shows how a worker's loop stands, in the known block.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" ralph status agent
exit_is 1 "a worker that is not there"
is "$err" "swarm: error: worker 'agent' not found" "is said"
"${loop[@]}" agent --detach --pty --inactivity-timeout 60 --done-pattern 'All tasks complete' --max-iterations 10 -- \
	"$AGENT" -e 'when-iteration 1 exit 1; when-iteration 3 hang' >agent.out
wait_for 30 field_is agent '.iteration == 3 and .sessions[0].pid != null' true
run "$SWARM" ralph status agent
exit_is 0 "it succeeds"
time='[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
like "$out" "^Ralph Loop: agent
Status: running
Iteration: 3/10
Started: $time
Current iteration started: $time
Consecutive failures: 0
Total failures: 1
Inactivity timeout: 60s
Done pattern: All tasks complete$" "the known block, and not a line more"
run "$SWARM" ralph status --help
like "$out" 'iteration' "its help says what it is about"
run "$SWARM" ralph status agent
crash "$(supervisor_of agent)"
run "$SWARM" ralph status agent
exit_is 0 "after a crash it still works"
like "$out" 'Status: running \(but its supervisor is gone; go on with: swarm ralph resume agent\)' "and tells what to type"
"$RALPH" stop agent >stopped
run "$SWARM" ralph status agent
like "$out" '
Status: stopped
' "after the end it says so"
run "$SWARM" ralph status
exit_is 2 "a missing name is a usage error"
run "$SWARM" ralph status ..
is "$status $err" "1 swarm: error: worker '..' not found" "a name that leads elsewhere leads nowhere"

# The dashboard of the seed.
"${loop[@]}" other --max-iterations 1 -- "$AGENT" -e 'println x' >other.out
run bash -c 'swarm() { "$0" "$@"; }; for w in $(swarm ls --format names); do echo "=== $w ==="; swarm ralph status $w 2>/dev/null || swarm status $w; done' "$SWARM"
is "$(grep -E '^(===|Iteration)' <<<"$out")" "=== agent ===
Iteration: 3/10
=== other ===
Iteration: 1/1" "a dashboard is made of it"
no_leftovers "nothing goes on"
done_testing
