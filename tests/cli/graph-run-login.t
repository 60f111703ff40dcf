#!/usr/bin/env bash
# An expired login: the loop is paused, somebody is told, and the task is free for whoever comes.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1
# shellcheck disable=SC2016 # for the agent
does T-1 '[ -e ../in ] && exec ralph graph complete T-1' \
	'echo "Not logged in · Please run /login" >&2' 'exit 1'
ln -s agent claude
run_bg "$RALPH" graph run --name l --delay 0 -- ./claude -p
wait_for 20 field_is l .status paused
wait_for 20 said "$T/bg.$bg.err" "ALERT: the agent's login does not hold" && pass "somebody is told"
is "$(now T-1)" ready "the task is back to ready"
is "$(starts T-1)" 1 "and is not tried again"
touch ../in
run "$RALPH" resume l
exit_is 0 "after the login it is resumed"
end_bg 20 "$bg"
exit_is 0 "and comes to its end"
is "$(now T-1)" complete "with the task complete"
is "$(jq -r 'select(.action == "failed") | .task_id' logs/ralph.jsonl)" "" "none of which was a failure"
no_leftovers "nothing goes on"
done_testing
