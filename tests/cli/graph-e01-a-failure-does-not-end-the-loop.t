#!/usr/bin/env bash
# E1: the first failure of an agent ended the loop with "All tasks complete", 19 of 20 tasks untouched.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..20}
does T-1 'exit 1'
g run --delay 0 -- ./agent
exit_is 11 "20 tasks, of which the first fails"
like "$out" '20 iterations: 19 completed, 1 failed' "all others are done"
like "$out" 'blocked: 1 failed \(T-1\)' "and the one that failed is what is left"
unlike "$out$err" 'all tasks complete' "nothing says otherwise"
is "$(now T-1)" in-progress "it waits for somebody to look at it"
is "$(starts T-1)" 1 "and is not tried again and again"
done_testing
