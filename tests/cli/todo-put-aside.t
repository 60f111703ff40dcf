#!/usr/bin/env bash
# What somebody has deferred or skipped is neither complete nor blocked: it is named, nobody is alerted,
# and there is nothing to do.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [~] T002: Two **DEFERRED** - after the release @ada' '- [ ] T003: Three **SKIPPED**'
worker <<'END'
case $KIND in task) ralph done ;; esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 0 "nothing is left to do"
like "$out" $'\nNothing is left to do but what was put aside: T002 is deferred \\(after the release\\), T003 is skipped$' "it says what is left, and why"
unlike "$out" 'All tasks complete|blocked' "and neither that it is complete nor that it is blocked"
not_ok "nobody is alerted" test -e "$T/alerts"
is "$(marks | xargs)" "x T001 ~ T002 T003" "they stay as they are"
is "$(jq -r .status ai/ralph/state.json) $(field "$name" .exit_reason)" "stopped waiting" "nor does the state say so"
is "$(texts | xargs)" "task T001" "nobody was given them"

list '- [~] T002: Two **DEFERRED**' '- [ ] T004: Four **BLOCKED** - no key'
todo --on-alert "cat >>$T/alerts"
exit_is 12 "what is blocked among them"
like "$out" 'T002 is deferred, T004 is blocked \(no key\)' "is named with them"
wait_for 60 said "$T/alerts" .
is "$(jq -r .text "$T/alerts")" "only blocked tasks are left: T002 is deferred, T004 is blocked (no key)" "and somebody is told"
no_leftovers "nothing goes on"
done_testing
