#!/usr/bin/env bash
# An agent is one by its descent: without its environment, or with a task's name that is not its own, it says how its own task stands
# and no other's.
# shellcheck disable=SC2016 # what agents do expands in their shells
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..3}
does T-1 'bare="env -i PATH=$PATH HOME=$HOME"' \
	'$bare ralph graph complete T-2 2>said; echo $? >>said; $bare RALPH_TASK=T-3 setsid -w ralph graph complete T-3 2>>said' \
	'$bare ralph graph reset T-2 --force 2>>said; $bare ralph graph complete T-1'
g run --delay 0 -- ./agent
exit_is 0 "the graph is worked through"
like "$out" '3 iterations: 3 completed' "by an agent for each task, which may complete its own"
is "$(starts T-2) $(starts T-3)" "1 1" "what another agent said about them did not count"
is "$(sed -n 2p said)" 1 "there was an exit code for it"
is "$(grep -c 'the task of this session is T-1' said)" 3 "and each time the reason"
no_leftovers "nothing goes on"
done_testing
