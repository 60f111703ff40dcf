#!/usr/bin/env bash
# What landed but waits for the user's checkout is done: no later run does it again.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/p"
echo one >out-a
ticket a && ticket b && sed -i 's/^deps: .*/deps: [a]/' .tickets/b.md && commit
echo mine >out-a
looped -- "$worker"
exit_is 14 "a run beside changes of the user's that are in the way"
is "$(grep -c start "$T/log")" 2 "does what waits for what waits"
is "$(cat out-a)" mine "and leaves the changes alone"
ticket c && git add .tickets/c.md && git commit -qm c
looped -- "$worker"
exit_is 14 "the next run"
is "$(grep -c 'start [ab]' "$T/log")" 2 "does nothing again"
is "$(grep -c 'start c' "$T/log")" 1 "only what is new"
like "$out" "Not on main yet: 2 merges wait in refs/ralph/land/main .a, b.:" "and says what waits"
git checkout -q out-a
looped -- "$worker"
is "$(git show main:out-a)" "work of a" "when nothing is in the way it gets in"
is "$(grep -c start "$T/log")" 3 "without an agent"

project "$T/work/taken-over"
ticket a && ticket b && ticket d && commit
: >"$T/log"
state() {
	printf '{"version":1,"runId":"r","startedAt":"2026-01-01T00:00:00Z","maxIterations":5,"parallel":1,' >.tf/ralph/dispatch-loop-state.json
	printf '"startedCount":%s,"completed":["a"],"failed":[{"ticket":"b","reason":"x"}],"active":{}}\n' "$1" \
		>>.tf/ralph/dispatch-loop-state.json
}
state 2
looped -- "$worker"
is "$(cat "$T/log")" "start d" "of another program's run, what it completed or failed is not begun"
exit_is 11 "what failed counts"
ticket e && commit e
state 5
looped -- "$worker"
like "$err" 'has started all it may.*; a new one begins' "one that is used up is not stretched"
is "$(grep -c 'start e' "$T/log")" 1 "a new one is begun"
done_testing
