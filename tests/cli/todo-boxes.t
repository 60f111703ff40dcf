#!/usr/bin/env bash
# Only what went through our check is complete: boxes that a worker ticks are put back, what others
# ticked before or between is left and named.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [x] T005: By hand (completed: 2026-01-01 10:00)'

# It ticks all, says nothing and leaves.
run "$RALPH" todo --pipe --verify false --max-failures 9 --on-alert "cat >>$T/alerts" -- \
	sh -c 'cat >/dev/null; echo x >>log; sed -i "s/- \[ \]/- [x]/" ai/todo.md'
exit_is 11 "who ticks boxes completes nothing"
unlike "$out" 'All tasks complete!' "nobody says that all is complete"
is "$(marks | paste -sd,)" "  T001,  T002,x T005" "the boxes are put back"
is "$(jq -c .tasks_completed ai/ralph/state.json)" '[]' "nothing is counted"
is "$(jq -r .text "$T/alerts" | grep -c 'T001, T002: ticked while the worker had a task')" 1 "they are named in an alert, once"
like "$out" 'marked by others: T005' "what was ticked before is named at the end"
is "$(commits)" "" "nothing is committed"

# One that does its work, and ticks more than that.
list '- [ ] T001: One' '- [ ] T002: Two' '- [x] T005: By hand (completed: 2026-01-01 10:00)'
worker <<'END'
case $TASK.$KIND in
T001.task) echo 1 >one.txt; sed -i 's/- \[ \]/- [x]/' ai/todo.md; ralph done --summary 'one' ;;
T002.task) echo 2 >two.txt; ralph done --summary 'two' ;;
esac
END
rm -f "$T/alerts"
todo --new-run --verify 'test -e one.txt' --on-alert "cat >>$T/alerts"
exit_is 0 "each task was worked on"
like "$out" 'All tasks complete!' "then all is complete"
like "$out" 'marked by others: T005' "but for what others marked"
is "$(jq -c .tasks_completed ai/ralph/state.json)" '["T001","T002"]' "what we checked is counted"
like "$(jq -r .text "$T/alerts")" '^T002: ticked while' "only the other's box was put back"
is "$(commits | paste -sd,)" "T002: two,T001: one" "each has its commit"
is "$(marks | paste -sd,)" "x T001,x T002,x T005" "and its box"

# One that is interrupted after it has ticked.
list '- [ ] T003: Three' '- [ ] T004: Four'
worker <<'END'
case $TASK.$KIND in
T003.task) if once tick; then sed -i 's/- \[ \]/- [x]/' ai/todo.md; touch ticked; exec sleep 1000; fi
	echo 3 >three.txt; ralph done --summary 'three' ;;
T004.task) echo 4 >four.txt; ralph done --summary 'four' ;;
esac
END
todo_bg
wait_for 30 test -e ticked
kill -INT "$bg"
end_bg 30 "$bg"
is "$status" 130 "it was interrupted"
rm ticked
todo
exit_is 0 "and goes on"
is "$(commits | head -n 2 | paste -sd,)" "T004: four,T003: three" "with all that was only ticked"
is "$(jq -c '.tasks_completed' ai/ralph/state.json)" '["T003","T004"]' "which counts now"
no_leftovers "nothing goes on"
done_testing
