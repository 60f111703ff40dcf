#!/usr/bin/env bash
# A run that another program began, as its state file says: its limits win, what it has done is not done again.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
for id in pt-{1..5}; do ticket "$id"; done
cat >.tf/ralph/dispatch-loop-state.json <<'JSON'
{"version": 1, "runId": "3f0c6d1e-0000-4000-8000-000000000001", "startedAt": "2026-01-01T00:00:00Z",
 "maxIterations": 4, "parallel": 1, "startedCount": 2, "completed": ["pt-1"], "failed": ["pt-2"], "active": {}}
JSON
work_on --max 50
is "$(grep '^start' "$T/log" | xargs)" "start pt-3 1 start pt-4 1" "two more are started, and none again"
exit_is 11 "one had failed"
is "$(summary Completed)" "3 (pt-1 pt-3 pt-4)" "what was completed counts"
is "$(summary Failed)" "1 (pt-2)" "so does what failed"
like "$err" 'maxIterations=4' "the mismatch is said"
not_ok "the state is removed at the end" test -e .tf/ralph/dispatch-loop-state.json
