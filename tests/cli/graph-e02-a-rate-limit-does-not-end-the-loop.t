#!/usr/bin/env bash
# E2: a rate limit ended the loop with "All tasks complete" after one wait.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1 T-2
# shellcheck disable=SC2016 # for the agent
does T-1 '[ "$(wc -l <starts.T-1)" -gt 2 ] && exec ralph graph complete T-1' \
	'echo "error: rate limit, retry after 1s" >&2' 'exit 1'
run_bg "$RALPH" graph run --delay 0 --json -- ./agent
wait_for 20 said logs/ralph.jsonl '"action":"rate_limited"' 2
is "$(jq -r 'select(.action == "started") | .task_id' logs/ralph.jsonl | xargs)" "T-1 T-1" "after the wait the same task goes on"
is "$(jq -r 'select(.event == "limited") | .delay_ms / 60000 | floor' <"$T/bg.$bg.out" | xargs)" "0 2" \
	"the second wait in a row is longer, whatever was said"
is "$(now T-1)" in-progress "meanwhile it stays claimed"
run "$RALPH" status repo-graph
like "$out" 'Waiting: a usage or rate limit, (1m|2m)' "and the wait is counted down"
run "$RALPH" pause repo-graph
run "$RALPH" resume repo-graph
end_bg 20 "$bg"
exit_is 0 "a pause ends the wait, and going on begins at once"
is "$(jq -r 'select(.action == "started") | .task_id' logs/ralph.jsonl | xargs)" "T-1 T-1 T-1 T-2" "with the same task, then the next"
is "$(tail -1 logs/ralph.jsonl | jq -r .outcome)" "all tasks complete (4 iterations: 2 completed, 0 failed)" \
	"no limit is a failure"
no_leftovers "nothing goes on"
done_testing
