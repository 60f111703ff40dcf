#!/usr/bin/env bash
# ralph loop reset: as after init, but for the configuration; never under a run's feet.
. "$(dirname "$0")/../cli/lib.sh"

run "$RALPH" loop reset
exit_is 1 "without a project it fails"
"$RALPH" loop init >/dev/null
cp -r .tf/ralph fresh
dirty() {
	echo '- Status: RUNNING' >>.tf/ralph/progress.md
	echo '## Lesson from x (2024)' >>.tf/ralph/AGENTS.md
}

dirty
echo '{"maxIterations": 7}' >.tf/ralph/config.json
run "$RALPH" loop reset --keep-lessons
exit_is 0 "resets progress"
is "$out" "Reset: .tf/ralph/progress.md" "and says so"
ok "progress.md is new" cmp fresh/progress.md .tf/ralph/progress.md
ok "the lessons are kept" grep -q 'Lesson from x' .tf/ralph/AGENTS.md
run "$RALPH" loop reset
ok "unless they are not to be" cmp fresh/AGENTS.md .tf/ralph/AGENTS.md
is "$(cat .tf/ralph/config.json)" '{"maxIterations": 7}' "the configuration stays"

echo '{"progressFormat": "list"}' >.tf/ralph/config.json
run "$RALPH" loop reset
ok "the older form is put back as it was" grep -qx -- '- Tickets completed: 0' .tf/ralph/progress.md
echo '{}' >.tf/ralph/config.json

# An interrupted run would tell its past once more.
cat >.tf/ralph/dispatch-loop-state.json <<'JSON'
{"version":1,"runId":"r","startedAt":"","maxIterations":5,"parallel":1,"startedCount":1,
 "completed":[],"failed":[],"active":{}}
JSON
run "$RALPH" loop reset
exit_is 0 "an interrupted run"
like "$out" "put aside" "is put aside"
not_ok "it is not gone on with" test -e .tf/ralph/dispatch-loop-state.json
kept=(.tf/ralph/dispatch-loop-state.replaced.*.json)
ok "but kept" test -s "${kept[0]}"

dirty
flock -F .tf/ralph/dispatch-loop.lock sleep 60 &
holder=$!
wait_for 10 bash -c "! flock -n .tf/ralph/dispatch-loop.lock true"
run "$RALPH" loop reset
exit_is 1 "while a run is active it is refused"
like "$err" "another loop is active in this project" "and says why"
ok "nothing was changed" grep -q 'Lesson from x' .tf/ralph/AGENTS.md
run "$RALPH" loop lessons prune 0
exit_is 1 "so is pruning"
kill "$holder"
wait "$holder" 2>/dev/null
no_leftovers "nothing goes on"
done_testing
