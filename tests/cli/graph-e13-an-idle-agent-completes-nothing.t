#!/usr/bin/env bash
# An agent that does nothing was "Completed: 20", with 20 tasks in progress and none complete.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..5}
g run --delay 0 -- sh -c 'cat >/dev/null'
exit_is 11 "an agent that does nothing"
like "$out" '5 iterations: 0 completed, 5 failed \(unfinished\)' "completes nothing"
like "$out" 'blocked: 5 failed' "and leaves five tasks for somebody to look at"
g status
like "$out" 'T-1  unfinished: its agent ended with exit code 0 without completing it' "which say why"
done_testing
