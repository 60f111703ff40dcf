#!/usr/bin/env bash
# `ralph graph run && deploy` does not deploy when a task failed; `just ralph` ends well, as it
# always did.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1 T-2
does T-1 'exit 7'
# shellcheck disable=SC2016
g run --name first --delay 0 --on-alert 'jq -r .text >>alerts' -- ./agent
exit_is 11 "a task that failed"
like "$out" 'blocked: 1 failed \(T-1\)' "is named at the end"
is "$(cat alerts)" "blocked: 1 failed (T-1)" "and by an alert"
run "$RALPH" wait first
exit_is 11 "wait agrees"
is "$(field first '[.status, .exit_reason, .exit_code] | join(" ")')" "failed some_failed 11" "and status"
is "$(jq -r .action logs/ralph.jsonl | tail -n 1)" blocked "the log has its usual word"
g run --name second --delay 0 -- ./agent
exit_is 11 "also when it failed in an earlier run"
g run --name lenient --failures-ok --delay 0 --on-alert 'cat >>lenient.alerts' -- ./agent
exit_is 0 "--failures-ok ends well"
like "$out" 'blocked: 1 failed \(T-1\)' "though it says the same"
not_ok "and there is no alert" test -e lenient.alerts
is "$(field lenient .exit_reason)" waiting "what is left waits for somebody"
g init
like "$(cat justfile)" '@ralph graph run --failures-ok ' "which is what 'just ralph' does"

rm do/T-1
g reset T-1
run "$RALPH" resume first
like "$(cat "$RALPH_HOME/loops/first/console.log" 2>/dev/null; echo "$out")" 'resumed' "the loop that ended so can go on"
wait_for 30 field_is first .exit_reason no_work
run "$RALPH" wait first
exit_is 0 "and once nothing has failed it is complete"

# Blocked by nobody's failure is no failure.
graph 'nodes:
- {id: a, status: blocked}
- {id: b}
edges:
- {from: a, to: b}'
g run --name waits --delay 0 -- ./agent
exit_is 0 "what waits for somebody"
is "$(field waits .exit_reason)" waiting "has not failed"

# And the clock.
tasks T-9
does T-9 'sleep 1000'
g run --name late --delay 0 --max-runtime 1s -- ./agent
exit_is 10 "a run whose time is used was not done"
no_leftovers "nothing goes on"
done_testing
