#!/usr/bin/env bash
# meta.by_milestone lists the ids of each milestone's tasks: refresh keeps it right.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph 'nodes:
- {id: T-1, milestone: M1}
meta:
  total_tasks: 1
  by_milestone:
    M1: [T-1] # the first
    M2:
      - T-9
    M3: []'
ticket T-2 'milestone: M1'
ticket T-3 'milestone: M2'
g refresh
exit_is 0 "two tickets come"
is "$(sed -n '/by_milestone/,$p' task-graph.yaml)" "  by_milestone:
    M1: [T-1, T-2] # the first
    M2:
      [T-3]
    M3: []" "they are listed, and what is gone is not"
cp task-graph.yaml before
g refresh
is "$(cat task-graph.yaml)" "$(cat before)" "once"
g prompt T-2
is "$(sed -n '/by_milestone/,$p' task-graph.yaml)" "$(sed -n '/by_milestone/,$p' before)" "a claim changes nothing there"
done_testing
