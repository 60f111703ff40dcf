#!/usr/bin/env bash
# The time for the whole run is used before the list is done: that is said, with an alert and the exit
# code of a bound that was reached; it is no success.  The next `ralph todo` goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
echo mine >>README.md
worker <<'END'
case $TASK.$KIND in
T002.task) echo half >half.txt; once long && sleep 60; ralph done --summary two ;;
*.task) ralph done --summary "did $TASK" ;;
esac
END
todo --max-runtime 4s --grace 1s --on-alert "cat >>$T/alerts"
exit_is 10 "as when the iterations are used"
is "$(marks | xargs)" "x T001 T002 T003" "one is done"
like "$out" "Max runtime reached after 2 iterations, and there are more tasks\. 'ralph todo' goes on\." "it says so"
unlike "$out" 'All tasks complete' "and promises nothing"
is "$(jq -r .text "$T/alerts")" "max runtime reached after 2 iterations, and there are more tasks" "somebody is told, in the same words"
is "$(field "$name" '[.status, .exit_reason] | join(" ")')" "stopped out_of_time" "so says the status"
run "$RALPH" wait "$name"
exit_is 10 "and who waits for it"
todo
exit_is 0 "goes on, with as much time again"
is "$(marks | xargs)" "x T001 x T002 x T003" "and does the rest"
is "$(commits) $(git show --name-only --format= HEAD)" "T002: two half.txt" "what was begun is in its commit"
is "$(git status --porcelain)" " M README.md" "and the user's is not"

# What failed does not hide that there is more.
list '- [ ] T004: Blocked' '- [ ] T005: Five'
worker <<'END'
case $TASK.$KIND in T004.task) ralph blocked so ;; esac
END
todo --max-iterations 1
exit_is 10 "one is blocked, and there are more"
like "$out" 'Max iterations reached; there are more tasks\.' "both is said"
like "$out" 'T004: so' "with the reason"
no_leftovers "nothing goes on"
done_testing
