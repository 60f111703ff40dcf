#!/usr/bin/env bash
# A graph that is written as JSON, which is YAML, too, stays JSON whatever is done to it.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
is_json() { jq -e . task-graph.yaml >"$T/jq"; }

graph '{"nodes": [{"id": "T-1", "title": "One", "status": "ready", "claimed_at": null}, {"id": "T-2"}], "meta": {}}'
claims T-1 "a task is claimed"
ok "it is still JSON" is_json
like "$(jq -r '.nodes[0].claimed_at' task-graph.yaml)" '^20[0-9-]+T' "with the time in place of null"
claims T-2 "so is one that has only an id"
ok "and that is JSON, too" is_json
is "$(jq -r '.nodes[1].status' task-graph.yaml)" in-progress "with a status"
g complete T-2
g reset T-1
ok "completed and reset it is JSON" is_json
ticket T-3 'depends_on: [T-1, T-2]' "output: it's \"here\""
g refresh
exit_is 0 "tickets are brought in"
ok "as JSON" is_json
is "$(jq -c '[.edges[] | [.from, .to]]' task-graph.yaml)" '[["T-1","T-3"],["T-2","T-3"]]' "edges where there were none"
is "$(jq -r '.nodes[2].output' task-graph.yaml)" "it's \"here\"" "and texts as they are"
ticket T-4 'depends_on: [T-3]'
g refresh
ok "a second time, too" is_json
is "$(jq -r '.edges | length' task-graph.yaml)" 3 "with the edge added"

graph 'nodes:
  - {id: T-1, title: One}'
g prompt
like "$(cat task-graph.yaml)" "claimed_at: '20" "YAML stays as it is"
done_testing
