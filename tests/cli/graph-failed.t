#!/usr/bin/env bash
# A task that nobody completed stays in progress, and the next one is given out: an agent's
# failure or a rate limit never looks like the end of the work (E1, E2).
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
plan 24
repo
tasks T-{1..5}

for i in 1 2 3 4 5; do
	claims "T-$i" "after $((i - 1)) failures the next task is T-$i"
	exit_is 0 "with exit code 0"
	unlike "$err" 'all tasks complete' "and without a word that would end a loop"
done
g prompt
exit_is 1 "then none is left to be given out"
like "$err" '^blocked: 5 in progress ' "which is blocked, not complete"
g status
like "$out" '^Tasks: 5: 0 complete, 5 in progress, 0 ready' "nothing counts as complete"
g reset T-3
claims T-3 "a reset gives one of them out again"

# The owner's death, without a verdict.
g reset T-4
sleep 1000 &
owner=$!
RALPH_GRAPH_OWNER=$owner g prompt
g prompt
exit_is 1 "a claim with an owner holds while he lives"
crash "$owner" 2>/dev/null
g status
like "$out" '\] T-4 .*\(left without a verdict; ready again\)' "his death is shown"
claims T-4 "and the task is given out again"
like "$err" "T-4 was claimed and left without a verdict: pid $owner \(which is gone\)" "which is said"
g prompt --owner 0
exit_is 2 "no owner is no owner"
