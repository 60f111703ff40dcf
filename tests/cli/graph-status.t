#!/usr/bin/env bash
# How the tasks stand, and whether the loop lives.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph 'stories:
- {id: S-1, status: complete}
nodes:
- {id: a, title: "A \"one\"", status: complete}
- {id: b, title: B, priority: 3}
- {id: c, title: C, priority: 1}
- {id: d, title: D, status: blocked}
- {id: e, title: E, status: in-progress, claimed_at: "2020-01-01T00:00:00.000Z", claimed_by: wt}
- {id: f, title: F}
edges:
- {from: a, to: b}
- {from: b, to: f}'

g status
exit_is 0 "status"
like "$out" '^Tasks: 6: 1 complete, 1 in progress, 2 ready, 1 waiting, 1 blocked'$'\n''Stories: 1: 1 complete'$'\n' "counts"
like "$out" $'\nReady:\n  \\[P1\\] c  C\n  \\[P3\\] b  B$' "the ready ones by priority"
like "$out" $'  e  stale: claimed more than 2 hours ago  \\(ralph graph reset e\\)\n' "what is stale, with a hint"
g status --json
is "$(jq -c '[.by_status.complete, .ready, .story_filter, (.tasks | length), .tasks[5].depends_on, .tasks[1].claim]' <<<"$out")" \
	'[1,["c","b"],null,6,["b"],null]' "for programs"
g status --dot
like "$out" '^digraph tasks \{' "a picture"
like "$out" '"a" \[fillcolor=palegreen, label="a\\nA \\"one\\""\];' "with the tasks"
like "$out" $'\n\t"a" -> "b";\n' "and their order"

g status --stale-after 1h
exit_is 1 "without a heartbeat there is no loop"
mkdir -p logs
date -u +%Y-%m-%dT%H:%M:%SZ >logs/ralph.heartbeat
g status --stale-after 1h
exit_is 0 "a fresh heartbeat"
like "$out" '^Loop: alive' "is a loop that lives"
date -u -d '2 hours ago' +%Y-%m-%dT%H:%M:%SZ >logs/ralph.heartbeat
printf '%s\n' '{"action":"started","task_id":"a","outcome":"x"}' >logs/ralph.jsonl
g status --stale-after 1h
exit_is 1 "an old one is not"
like "$out" '^Loop: stale, last sign of life 2h 0m ago' "which is said"
like "$out" '"task_id":"a"' "with its last words"
{
	printf '%s\n' '{"timestamp":"2026-01-02T03:04:05Z","action":"error","outcome":"an earlier one"}'
	printf '%s\n' '{"timestamp":"2026-01-02T03:05:05Z","action":"started","task_id":"a","outcome":"x"}'
	for minute in 10 11 12; do
		printf '{"timestamp":"2026-01-02T03:%s:00Z","action":"error","outcome":"two tasks are c"}\n' "$minute"
	done
} >>logs/ralph.jsonl
g status --stale-after 1h
exit_is 1 "a loop that cannot read its graph"
like "$out" $'\nThe graph cannot be read since 2026-01-02T03:10:00[^ ]*, for [0-9]+[a-z0-9 ]*: two tasks are c\n' "says since when, and why"
printf '%s\n' '{"action":"started","task_id":"a","outcome":"x"}' >logs/ralph.jsonl
g status --stale-after 3h
exit_is 0 "old is what one says is old"
printf '%s\n' '{"action":"finished","task_id":null,"outcome":"x"}' >>logs/ralph.jsonl
g status --stale-after 1h
exit_is 0 "a loop that has ended is no alarm"
like "$out" 'it has ended \(finished\)' "which is said"
echo 'never' >logs/ralph.heartbeat
: >logs/ralph.jsonl
g status --stale-after 1h
exit_is 1 "what is no time is stale"
done_testing
