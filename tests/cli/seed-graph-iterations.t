#!/usr/bin/env bash
# An iteration of the loop over a graph, and how the loop ends: heartbeat, pause, log, words.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent

# The heartbeat is there before the agent is, and new in every iteration; the pause is two seconds.
tasks T-1 T-2
for id in T-1 T-2; do does $id "cp logs/ralph.heartbeat beat.$id" "ralph graph complete $id"; done
g run -- ./agent
exit_is 0 "two tasks"
for id in T-1 T-2; do
	like "$(cat beat.$id)" '^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:.]+Z$' "$id: the heartbeat came before its agent"
done
not_ok "every iteration has its own" cmp -s beat.T-1 beat.T-2
# "2026-01-01T00:00:00.123Z" in milliseconds
at() {
	jq -r "select(.action == \"$1\" and .task_id == \"$2\") | .timestamp" logs/ralph.jsonl |
		jq -R 'capture("(?<s>[^.Z]*)(\\.(?<f>[0-9]+))?Z") | ((.s + "Z") | fromdate) * 1000 + (((.f // "0") + "000")[0:3] | tonumber)'
}
pause=$(($(at started T-2) - $(at completed T-1)))
ok "the pause between them is two seconds ($pause ms)" test "$pause" -ge 1990
is "$(jq -c 'keys_unsorted - ["story_filter", "until"]' logs/ralph.jsonl | sort -u)" \
	'["timestamp","iteration","task_id","action","duration_seconds","exit_code","outcome"]' "every entry has the same members"
is "$(jq -r 'select(.task_id == null) | .action' logs/ralph.jsonl | xargs)" "loop_started finished" \
	"a task id stands wherever a task was chosen"
like "$out" $'\n[^\n]*: all tasks complete\n[^\n]*2 iterations: 2 completed, 0 failed; runtime [0-9.]+s' \
	"the end is a summary of success"

# Failures, one after the other, never end it; what is left is said, with what to do.
tasks T-{3..10}
for i in {3..9}; do does "T-$i" "echo 'no such file' >&2" 'exit 4'; done
g run --failures-ok --delay 0 -- ./agent
exit_is 0 "seven failures in a row, and then a success, as just ralph runs it"
like "$out" '8 iterations: 1 completed, 7 failed' "all tasks had their turn"
like "$out" $'\n''What is left waits for dependencies, or for somebody' "the end is an advice, not a success"
is "$(grep -c '^\[ralph\] [^ ]*: error: iteration' <<<"$out")" 7 "errors have a form of their own"
is "$(jq -r 'select(.action == "failed") | "\(.task_id) \(.exit_code) \(.duration_seconds | type)"' logs/ralph.jsonl | sort -u | head -n 2 | xargs)" \
	"T-3 4 number T-4 4 number" "each is logged with task, exit code and duration"
is "$(now T-3)" in-progress "what failed stays in progress"
is "$(starts T-3)" 1 "the loop itself never gives it out again"
g run --failures-ok --delay 0 -- ./agent
is "$(starts T-3)" 1 "nor does a later loop"
done_testing
