#!/usr/bin/env bash
# A bound for the tasks that are started: an alert, what is left, exit code 10; and then it goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $KIND in task) done_by_tag ;; esac
END
todo --max-iterations 2 --on-alert "cat >>$T/alerts"
exit_is 10 "as the table has it"
is "$(marks | xargs)" "x T001 x T002 T003" "two are done"
like "$out" 'Max iterations reached; there are more tasks\.' "it says so"
unlike "$out" 'All tasks complete' "and promises nothing"
ok "somebody is told" test -s "$T/alerts"
todo
exit_is 0 "another run"
is "$(marks | xargs)" "x T001 x T002 x T003" "does the rest"

# A further attempt is no other iteration, for whoever counts.
list '- [ ] T004: Four' '- [ ] T005: Five' '- [ ] T006: Six'
worker <<'END'
kill -9 $PPID
END
todo --max-iterations 2
unlike "$out" 'iteration [3-9]/2' "no line has more of them than there may be"
like "$out" 'T004 \(iteration 2, 1/2\), attempt 2' "another attempt has a number, and the count of the first"
like "$out" '0 completed in [12] iterations?' "nor has the last one"
no_leftovers "nothing goes on"
done_testing
