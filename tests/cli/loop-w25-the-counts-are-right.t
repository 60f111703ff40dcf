#!/usr/bin/env bash
# W25: what progress.md counts is what happened, in parallel too.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
for id in pt-{1..5}; do ticket "$id"; done
does pt-3 exit 1
work_on --parallel 3
exit_is 11 "one of five failed"
[[ $(summary Failed) == "1 (pt-3)" ]] || diag "$err"
is "$(summary Iterations)" 5 "five were started"
statistics=$(sed -n '/^## Statistics/,/^## /p' .tf/ralph/progress.md)
like "$statistics" 'Iterations: 5' "progress.md counts them"
like "$statistics" 'Completed: 4' "those that are done"
like "$statistics" 'Failed: 1' "and the one that is not"
is "$(grep -cE '^### pt-[1-5]: (COMPLETE|FAILED)$' .tf/ralph/progress.md)" 5 "with a block each"
