#!/usr/bin/env bash
# A run that another program began, as its state file says: its limits win, what it has done is not done again.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-{1..5}; do ticket "$id"; done
cat >.tf/ralph/dispatch-loop-state.json <<'JSON'
{"version": 1, "runId": "3f0c6d1e-0000-4000-8000-000000000001", "startedAt": "2026-01-01T00:00:00Z",
 "maxIterations": 4, "parallel": 1, "startedCount": 2, "completed": ["pt-1"], "failed": ["pt-2"], "active": {}}
JSON
does pt-3 <<'SCRIPT'
cp "$T/work/project/.tf/ralph/dispatch-loop-state.json" "$T/state"
cp "$T/work/project/.tf/ralph/dispatch-loop.lock" "$T/lock"
work; close_ticket; commit
SCRIPT
work_on --max 50
is "$(grep '^start' "$T/log" | xargs)" "start pt-3 1 start pt-4 1" "two more are started, and none again"
exit_is 11 "one had failed"
is "$(summary Completed)" "3 (pt-1 pt-3 pt-4)" "what was completed counts"
is "$(summary Failed)" "1 (pt-2)" "so does what failed"
like "$err" 'maxIterations=4' "the mismatch is said"
not_ok "the state is removed at the end" test -e .tf/ralph/dispatch-loop-state.json
is "$(jq -c '[.runId, .startedAt, .maxIterations, .startedCount, .completed, .failed]' "$T/state")" \
	'["3f0c6d1e-0000-4000-8000-000000000001","2026-01-01T00:00:00Z",4,3,["pt-1"],["pt-2"]]' \
	"meanwhile it has its name, its beginning and its counts"
is "$(jq -r .runId "$T/lock")" 3f0c6d1e-0000-4000-8000-000000000001 "and the lock is for that run"

# Killed, it goes on under that name.
rm -rf "$project"
new_project
for id in pt-{1..3}; do ticket "$id"; done
: >"$T/log"
does pt-3 'after go; work; close_ticket; commit'
cat >.tf/ralph/dispatch-loop-state.json <<'JSON'
{"version": 1, "runId": "theirs", "startedAt": "2026-01-01T00:00:00Z",
 "maxIterations": 9, "parallel": 1, "startedCount": 5, "completed": ["pt-1", "pt-2"], "failed": [], "active": {}}
JSON
work_on_bg --name work
wait_for 30 said "$T/log" '^start pt-3'
crash "$bg"
is "$(jq -c '[.runId, .startedCount, .maxIterations]' .tf/ralph/dispatch-loop-state.json)" '["theirs",6,9]' \
	"the state of a killed run has them as well"
echo go >>"$T/log"
work_on
exit_is 0 "the next call goes on with it"
is "$(starts pt-3)" 1 "and with its agent"
unlike "$err" 'stale lock|another run' "the lock is its own, and nothing else differs"
done_testing
