#!/usr/bin/env bash
# E12: a lock that was busy for 2.5 s ended the loop with "No tasks available", exit code 0.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1
g prompt --preview
mkdir -p .git/ralph/graph
flock .git/ralph/graph/lock sleep 1000 &
holder=$!
wait_for 20 bash -c '! flock -n .git/ralph/graph/lock true'
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 said logs/ralph.jsonl '"action":"error".*lock'
ok "the loop goes on" kill -0 "$bg"
pkill -P "$holder"
end_bg 60 "$bg"
exit_is 0 "once it is free"
like "$out" ': all tasks complete' "with the work"
no_leftovers "nothing goes on"
done_testing
