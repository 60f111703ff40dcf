#!/usr/bin/env bash
# ./run without arguments shows a loop that works through a plan, fails once and ends.
. "$(dirname "$0")/../cli/lib.sh"
plan 6

run env DEMO_PACE=0 "$root/run"
exit_is 0 "the demo succeeds"
like "$out" 'starting iteration 1/10' "it shows how iterations start"
like "$out" 'iteration 2 failed \(exit: 1\), retrying in 1s \(attempt 1/5\)' "what a failure looks like"
like "$out" 'done pattern matched' "and how the loop ends"
like "$out" 'made 4 commits' "each of the four tasks has its commit"
no_leftovers "nothing of it goes on"
