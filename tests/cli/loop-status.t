#!/usr/bin/env bash
# ralph loop status: progress, tickets, lessons, and who is at work.
. "$(dirname "$0")/../cli/lib.sh"

run "$RALPH" loop status
exit_is 1 "without a project it fails"
is "$err" "Error: Ralph not initialized. Run: tf ralph init
(here that is: ralph loop init)" "with the seed's sentence, and ours"
mkdir -p "$HOME/.pi"
run "$RALPH" loop status
exit_is 1 "a .pi directory makes no project"
mkdir .tf
run "$RALPH" loop status
exit_is 1 "neither does an empty .tf"

"$RALPH" loop init >/dev/null
run "$RALPH" loop status
exit_is 0 "a new project"
is "$out" "Current State:
  - Status: IDLE
  - Current ticket: (none)
  - Started: (not started)
  - Last updated: (never)

Statistics:
  - Iterations: 0
  - Completed: 0
  - Failed: 0
  - Last updated: (never)

Ready tickets: no .tickets directory
Lessons: 0
Active run: none" "has done nothing"

mkdir .tickets
for i in 1 2 3 4 5 6 7; do
	printf -- '---\nid: t-%s\nstatus: open\ndeps: []\nlinks: []\npriority: 2\n---\n# Ticket %s\n' \
		"$i" "$i" >".tickets/t-$i.md"
done
printf '\n## Lesson from t-0 (2024-01-01)\n\nx\n\n---\n' >>.tf/ralph/AGENTS.md
run "$RALPH" loop status
like "$out" "
Ready tickets: 7
  t-1      \[P2\]\[open\] - Ticket 1
  t-2 .*
  t-5      \[P2\]\[open\] - Ticket 5
  ... and 2 more
Lessons: 1
" "counts tickets and lessons, and shows the first tickets"
unlike "$out" "Ticket 6" "five of them"
run "$RALPH" loop status --json
is "$(jq -c '[.state.Status, .statistics.Failed, .ready, (.tickets | length), .tickets[0].id, .lessons, .active]' <<<"$out")" \
	'["IDLE","0",7,5,"t-1",1,null]' "the same as JSON"

# Somebody at work.
lock=.tf/ralph/dispatch-loop.lock
printf '{"runId":"abc","pid":%s,"startedAt":"2024-01-01T00:00:00Z","startTime":1,"bootId":"x"}\n' $$ >"$lock"
run "$RALPH" loop status
like "$out" "Active run: none" "what a dead run left in the lock is nobody"
flock -F "$lock" sleep 60 &
holder=$!
wait_for 10 bash -c "! flock -n $lock true"
run "$RALPH" loop status
like "$out" "Active run: ralph loop run abc \(pid $$, since 2024-01-01 00:00:00\)" "who holds the lock is"
kill "$holder"
wait "$holder" 2>/dev/null
wait_for 10 flock -n "$lock" true
: >"$lock"
printf '%s %s\n' $$ "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >.tf/ralph/lock
run "$RALPH" loop status --json
like "$(jq -r .active <<<"$out")" "^tf ralph \(pid $$, since " "and so is the older program"
rm .tf/ralph/lock

# Whatever progress.md says is only shown.
printf '# P\n\n## Current State\n- Status: \033[31mred\n\n## Statistics\nfree text\n- odd\n- a: b: c\n' >.tf/ralph/progress.md
run "$RALPH" loop status
exit_is 0 "any text will do"
like "$out" 'Status: \\x1b\[31mred' "and is harmless"
run "$RALPH" loop status --json
is "$(jq -c .statistics <<<"$out")" '{"a":"b: c"}' "also as JSON"
rm .tf/ralph/progress.md .tf/ralph/AGENTS.md
run "$RALPH" loop status
exit_is 0 "missing files are no failure"
like "$out" "Lessons: 0" "they are empty"
no_leftovers "nothing goes on"
done_testing
