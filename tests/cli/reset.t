#!/usr/bin/env bash
# Removing ~/.swarm/ralph/NAME resets that loop, unless somebody still works on it.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --max-iterations 5 --max-failures 1 -- "$AGENT" -e 'exit 1'
exit_is 1 "a loop has failed in its first iteration"
rm -r "$RALPH_HOME/ralph/agent"
run "$RALPH" status agent
exit_is 1 "without its files there is no such loop"
run "$RALPH" ls --format json
is "$out" "[]" "and it is not listed"
run "$RALPH" resume agent
exit_is 1 "nor resumed"
run "${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'exit 0'
exit_is 0 "the name is free"
is "$(field agent '[.iteration, .max_iterations, .total_failures] | join(" ")')" "2 2 0" "and counts from the beginning"
ok "what the old loop did is kept" compgen -G "$RALPH_HOME/archive/agent.*/journal.jsonl"

run_bg "${loop[@]}" crashed --max-iterations 3 -- "$AGENT" -e 'count starts; hang'
wait_for 20 field_is crashed '.sessions[0].pid != null' true
wait_for 20 test -e "$RALPH_HOME/loops/crashed/viewed"
crash "$bg"
rm -r "$RALPH_HOME/ralph/crashed"
run "$RALPH" status crashed
exit_is 0 "an agent that lives keeps its loop"
run "$RALPH" stop crashed
exit_is 0 "so that it can be ended"
no_leftovers "nothing goes on"
done_testing
