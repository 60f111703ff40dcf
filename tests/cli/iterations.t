#!/usr/bin/env bash
# A loop starts one fresh agent after the other, and stops when the iterations are used.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --max-iterations 3 -- "$AGENT" -e 'count starts'
exit_is 0 "a loop whose iterations all went well has succeeded"
is "$(spans "$out")" "[ralph] demo: starting iteration 1/3
[ralph] demo: iteration 1 completed (exit: 0, duration: T)
[ralph] demo: starting iteration 2/3
[ralph] demo: iteration 2 completed (exit: 0, duration: T)
[ralph] demo: starting iteration 3/3
[ralph] demo: iteration 3 completed (exit: 0, duration: T)
[ralph] demo: 3 iterations done" "it says what it does, in the known words"
is "$err" "" "and nothing else"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "each agent knows its iteration"
is "$(cut -d ' ' -f 2 starts | sort -u | wc -l)" 3 "each is a process of its own"
is "$(field demo '[.status, .exit_reason, .iteration] | join(" ")')" "stopped max_iterations 3" \
	"the state says why it ended"

is "$(jq -c 'del(.started, .last_iteration_started)' "$RALPH_HOME/ralph/demo/state.json")" \
	"{\"worker_name\":\"demo\",\"prompt_file\":\"$PWD/prompt\",\"max_iterations\":3,\"current_iteration\":3,\"status\":\"stopped\",\"consecutive_failures\":0,\"total_failures\":0,\"done_pattern\":null,\"inactivity_timeout\":0,\"exit_reason\":\"max_iterations\"}" \
	"state.json has the documented members"
like "$(jq -r .started "$RALPH_HOME/ralph/demo/state.json")" \
	'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}$' "with times as documented"
is "$(sed -E 's/^[0-9-]{10}T[0-9:]{8} //; s/duration=.*/duration=T/' "$RALPH_HOME/ralph/demo/iterations.log" | head -n 4)" \
	"[START] iteration 1/3
[END] iteration 1 exit=0 duration=T
[START] iteration 2/3
[END] iteration 2 exit=0 duration=T" "iterations.log can be followed with tail"
no_leftovers "nothing goes on"
done_testing
