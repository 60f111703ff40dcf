#!/usr/bin/env bash
# One run at a time in a project, whoever began it; what the dead left is replaced, and told.
. "$(dirname "$0")/../cli/lib.sh"

"$RALPH" loop init >/dev/null
echo '{}' >.tf/ralph/config.json
mkdir .tickets
lock=.tf/ralph/dispatch-loop.lock
ticket() {
	printf -- '---\nid: %s\nstatus: open\ndeps: []\nlinks: []\npriority: 2\n---\n# One\n' "$1" >".tickets/$1.md"
}
loop_run() {
	run "$RALPH" loop --no-worktree --trust-exit -- "$AGENT" -e 'println ok'
}
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
local=$(date -d "$now" '+%Y-%m-%d %H:%M:%S')

ticket t-1
printf '{"runId":"other","pid":%s,"startedAt":"%s"}\n' $$ "$now" >"$lock"
loop_run
exit_is 1 "a live process that does not know flock is respected"
like "$err" "another loop is active in this project: ralph loop run other \(pid $$, since $local\)" \
	"and named"
not_ok "nothing was begun" test -e .tf/ralph/dispatch-loop-state.json

: >"$lock"
printf '%s %s\n' $$ "$now" >.tf/ralph/lock
loop_run
exit_is 1 "so is the older program"
like "$err" "tf ralph \(pid $$, since $local\)" "by its name"
is "$(cat .tf/ralph/lock)" "$$ $now" "its lock is not touched"

printf '4194303 %s\n' "$now" >.tf/ralph/lock
printf '{"runId":"dead","pid":4194303,"startedAt":"2024-01-01T00:00:00Z"}\n' >"$lock"
loop_run
exit_is 0 "what the dead left is no obstacle"
like "$err" "stale lock of run dead \(pid 4194303 is gone\) replaced" "and its end is told"
is "$(wc -c <"$lock")" 0 "at the end the lock is empty"
not_ok "and there is no state" test -e .tf/ralph/dispatch-loop-state.json
rm .tf/ralph/lock

# A run of ours: its content is the seed's, and a second one is told who has it.
ticket t-2
run_bg "$RALPH" loop --no-worktree --trust-exit -- "$AGENT" -e 'wait-file go'
wait_for 20 test -s .tf/ralph/dispatch-loop-state.json
wait_for 20 test -s "$lock"
is "$(jq -r '.pid, .runId' "$lock" | xargs)" "$bg $(jq -r .runId .tf/ralph/dispatch-loop-state.json)" \
	"the lock names process and run"
like "$(jq -r .startedAt "$lock")" '^20[0-9-]+T[0-9:.]+Z$' "and since when"
loop_run
exit_is 1 "a second run is refused"
like "$err" "\(pid $bg, since " "and told who works"
run "$RALPH" loop status
like "$out" "Active run: ralph loop run [0-9a-f-]{36} \(pid $bg" "status knows it, too"
touch go
end_bg 30 "$bg"
exit_is 0 "the first one goes on"

# What is no state is kept, and said.
ticket t-3
echo '{"version": 1, "runId"' >.tf/ralph/dispatch-loop-state.json
loop_run
exit_is 0 "a corrupt state does not stop a run"
kept=(.tf/ralph/dispatch-loop-state.corrupt.*.json)
is "$(cat "${kept[0]}")" '{"version": 1, "runId"' "it is kept"
like "$err" "it was kept as ${kept[0]##*/}, and a new run begins" "and that is said"
like "$(basename "${kept[0]}")" '^dispatch-loop-state\.corrupt\.[0-9]{8}T[0-9]{6}Z\.json$' \
	"under the seed's name"
no_leftovers "nothing goes on"
done_testing
