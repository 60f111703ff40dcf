#!/usr/bin/env bash
# In a session, an agent says how its own task stands and no other's; outside, anyone may.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..3}
does T-1 'ralph graph complete T-2 2>said; echo $? >>said; ralph graph complete T-3 --force 2>>said' \
	'ralph graph reset T-2 2>>said; ralph graph complete T-1'
g run --delay 0 -- ./agent
exit_is 0 "the graph is worked through"
like "$out" '3 iterations: 3 completed' "by an agent for each task"
is "$(starts T-2) $(starts T-3)" "1 1" "what another agent said about them did not count"
like "$(cat said)" 'the task of this session is T-1: how T-2 stands' "it was told so"
is "$(sed -n 2p said)" 1 "with an exit code"
is "$(grep -c 'the task of this session is T-1' said)" 3 "force does not help, nor does a reset"

g reset T-2
exit_is 0 "outside of a session anyone may reset"
g complete T-2
exit_is 0 "and complete"
is "$(now T-2)" complete "whatever it is"

# By hand, in the file: it stays, since nobody can tell whose hand that was, and is named.
tasks T-{4..6}
does T-4 "sed -i '/T-5/{n;s/ready/complete/}' task-graph.yaml; ralph graph complete T-4"
g run --delay 0 -- ./agent
like "$err" 'T-5 was marked as complete in the graph while the agent of T-4 worked' "what is marked in the file is named"
unlike "$err" 'T-[46] was marked' "what was completed is not"
like "$out" '2 iterations: 2 completed' "and it is not counted"
no_leftovers "nothing goes on"
done_testing
