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
no_leftovers "nothing goes on"
done_testing
