#!/usr/bin/env bash
# How a run comes to its end: it waits for those at work, writes its summary, then promises.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

# One at a time, unless more are asked for.
new_project
ticket pt-1
ticket pt-2
work_on
exit_is 0 "two tickets"
is "$(at_once)" 1 "one after the other"
block=$(sed -n '/^## Loop Complete$/,$p' .tf/ralph/progress.md | sed -E 's/20[0-9-]+T[0-9:]+Z/TIME/')
is "$(grep -v '^- Reason: ' <<<"$block")" "## Loop Complete

- Status: COMPLETE
- Ended: TIME
- Total iterations: 2
- Completed: 2
- Failed: 0
- Tickets: pt-1 (completed), pt-2 (completed)

---" "the summary in progress.md is the documented one"
is "$out" "$sigil" "the promise is said"

# Nothing is ready while the first works: whoever waits for it is begun then.
: >"$T/log"
ticket pt-3
ticket pt-4 deps=pt-3
does pt-3 'after go; work; close_ticket; commit'
work_on_bg --parallel 2
wait_for 30 said "$T/log" '^start pt-3'
looked() { [[ $(jq -r '.active | length' .tf/ralph/dispatch-loop-state.json) == 1 ]]; }
wait_for 30 looked
not_ok "with nothing ready and one at work the run is not over" lib_gone "$bg"
is "$(cat "$T/bg.$bg.out")" "" "nor is anything promised"
echo go >>"$T/log"
end_bg 60 "$bg"
is "$(grep -E '^(end pt-3|start pt-4)' "$T/log" | xargs)" "end pt-3 0 start pt-4 1" "what waited for it comes next"
is "$out" "$sigil" "then it is over"

# As many as allowed were started: those at work are waited for.
: >"$T/log"
for id in pt-5 pt-6 pt-7; do ticket "$id"; done
does pt-5 'after "end pt-6"; work; close_ticket; commit'
work_on --parallel 2 --max 2
is "$(starts)" 2 "as many as allowed are started"
is "$(summary Completed)" "2 (pt-5 pt-6)" "and all of them come to their end"
is "$(grep '^end' "$T/log" | tail -n 1)" "end pt-5 0" "also the last"
done_testing
