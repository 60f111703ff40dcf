#!/usr/bin/env bash
# Not committed is not complete: the task waits, the end says so, and the next run commits it
# without doing it again.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Begin it' '- [ ] T002: Go on with it' '- [ ] T003: Something else'
worker <<'END'
case $TASK.$KIND in
T001.task) echo one >notes.txt; ralph done --summary 'begin it' ;;
T002.task) echo two >>notes.txt; ralph done --summary 'go on' ;;
T003.task) echo three >other.txt; ralph done --summary 'something else' ;;
T004.task) echo four >four.txt; ralph done --summary 'the fourth' ;;
T005.task) rm .git/MERGE_HEAD; echo five >five.txt; ralph done --summary 'the fifth' ;;
esac
END
end_of() { grep -v '^\[ralph\]\|^ralph:' <<<"$out"; }

# Whoever left it: it is not ours.
touch .git/index.lock
todo --on-alert "cat >>$T/alerts"
exit_is 14 "what is not committed is not complete"
unlike "$out" 'All tasks complete!' "nobody says that all is"
like "$out" 'not all of them are committed and ticked yet' "the end says what it is"
like "$(end_of)" 'T001: not committed: .*index\.lock' "and which task waits, and for what"
is "$(marks | paste -sd,)" "  T001,  T002,  T003" "none is ticked before its commit"
is "$(jq -r '.tasks_completed | length' ai/ralph/state.json)" 0 "none is said to be complete"
is "$(jq -r .text "$T/alerts" | grep -c '^T00[123]: not committed')" 3 "each is an alert"
is "$(jq -r .text "$T/alerts" | tail -n 1)" "3 tasks are done, but not committed and ticked yet" "the end is another"
like "$("$RALPH" status "$name")" 'Exit reason: unlanded' "status knows it"
ok "somebody's lock stays" test -e .git/index.lock
is "$(commits)" "" "there is no commit"

rm .git/index.lock
todo
exit_is 0 "the next run makes the commits"
like "$out" 'All tasks complete!' "then all is complete"
is "$(texts | grep task | paste -sd,)" "task T001,task T002,task T003" "no worker did anything again"
is "$(commits | paste -sd,)" "T003: something else,T002: go on,T001: begin it" "one for each task, in their order"
is "$(git show HEAD~2:notes.txt | paste -sd,)" "one" "the first has what the first had done"
is "$(git show HEAD~1:notes.txt | paste -sd,)" "one,two" "the second what came on top"
is "$(git log -1 --format=%B HEAD~2 | grep . | tail -n 2 | paste -sd,)" "Request: Begin it,Task: T001" "in the task's own words"
is "$(git status --porcelain)" "" "nothing is left"
is "$(marks | paste -sd,)" "x T001,x T002,x T003" "they are ticked with their commits"
is "$(jq -c .tasks_completed ai/ralph/state.json)" '["T001","T002","T003"]' "and counted"
is "$(git for-each-ref refs/ralph)" "" "nothing is kept any more"

# A merge is under way; the worker of T005 ends it.
list '- [ ] T004: The fourth' '- [ ] T005: The fifth'
git rev-parse HEAD >.git/MERGE_HEAD
todo
exit_is 0 "what stood in the way went in the same run"
is "$(commits | head -n 2 | sort | paste -sd,)" "T004: the fourth,T005: the fifth" "both are committed, each by itself"
is "$(git show --name-only --format= HEAD HEAD~1 | sort | paste -sd,)" "five.txt,four.txt" "with what it did"
is "$(marks | paste -sd,)" "x T004,x T005" "and ticked"
no_leftovers "nothing goes on"
done_testing
