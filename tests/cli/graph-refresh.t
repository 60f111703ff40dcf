#!/usr/bin/env bash
# Tickets define tasks; neither a refresh nor a completion takes a claim away, and what an agent
# wrote into the graph itself stays (E7, E10).
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph '# kept
nodes: []
edges: []
other: "kept, too"'
ticket T-1
ticket T-2 'depends_on: [T-1]'
ticket T-3

g refresh
exit_is 0 "tickets become tasks"
is "$out" "T-1 is new
T-2 is new
T-3 is new" "which is said"
like "$(head -n 1 task-graph.yaml)" '^# kept' "comments stay"
like "$(tail -n 1 task-graph.yaml)" '^other: "kept, too"$' "and what else there is"
cp task-graph.yaml before
g refresh
is "$(cat task-graph.yaml)" "$(cat before)" "a second refresh changes nothing"

claims T-1 "a task is claimed"
like "$out" $'\nTicket: docs/active/tickets/T-1.md\n' "with its ticket"
g refresh
is "$(now T-1)" in-progress "a refresh does not free it"
claims T-3 "the next claim is another task"
g complete T-3
is "$(now T-1)" in-progress "nor does a completion"
is "$(now T-3)" complete "which is written down"
like "$(cat docs/active/tickets/T-3.md)" $'\nstatus: complete\n' "in the ticket, too"

sed -i '0,/status: in-progress/s//status: complete/' task-graph.yaml
g refresh
like "$out" 'T-1 is complete; now its ticket says so' "an agent's own edit of the graph counts"
claims T-2 "and frees what waits"

# Claims and completions at once lose nothing of each other's.
rm -r docs
tasks "x-"{1..12}
for ((i = 1; i <= 6; i++)); do "$RALPH" graph prompt "x-$i" >/dev/null 2>&1; done
pids=()
for ((i = 1; i <= 6; i++)); do
	"$RALPH" graph complete "x-$i" >/dev/null 2>&1 &
	pids+=($!)
	"$RALPH" graph prompt 2>/dev/null | sed -n 's/^Your task: \([^ ]*\).*/\1/p' >>"$T/got" &
	pids+=($!)
	"$RALPH" graph refresh >/dev/null 2>&1 &
	pids+=($!)
done
wait "${pids[@]}"
is "$(sort -u "$T/got" | wc -l)" 6 "six claims are six tasks"
is "$("$RALPH" graph status --json | jq -c '.by_status | [."in-progress", .complete]')" '[6,6]' "and six completions are six"

ticket T-1 'depends_on: [T-2, T-9]'
ticket T-2 'depends_on: [T-1]'
cp task-graph.yaml before
g refresh
exit_is 13 "an id that no task has"
is "$err" "ralph: error: docs/active/tickets/T-1.md:8: no task has the id 'T-9'" "is told with file and line"
ticket T-1 'depends_on: [T-2]'
g refresh
exit_is 13 "a cycle"
like "$err" 'a cycle: T-1 -> T-2 -> T-1' "is told as a path"
is "$(cat task-graph.yaml)" "$(cat before)" "and nothing is written"
done_testing
