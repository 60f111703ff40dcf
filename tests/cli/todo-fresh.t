#!/usr/bin/env bash
# --fresh: a new process for every task, and nothing to clear; so it is with workers on pipes.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in task) echo "$TASK" >>"$TASK.txt" && ralph done --summary "write $TASK" ;; esac
END
todo --fresh
exit_is 0 "in a terminal"
is "$(texts | xargs)" "task T001 task T002" "nobody is told to forget"
is "$(cut -d ' ' -f 3 "$led/log" | sort -u | wc -l)" 2 "two processes"
is "$(commits)" "T002: write T002
T001: write T001" "two commits"

list '- [ ] T003: Three' '- [ ] T004: Four'
: >"$led/log"
todo --pipe
exit_is 0 "with pipes"
is "$(texts | xargs)" "task T003 task T004" "each its own"
is "$(commits | head -n 2)" "T004: write T004
T003: write T003" "committed alike"

# A headless agent that ends without a word has not done it.
list '- [ ] T005: Five' '- [ ] T006: Six'
worker <<'END'
case $TASK.$KIND in T006.task) done_by_tag ;; esac
END
: >"$led/log"
todo --pipe --commit off
exit_is 11 "one of them says nothing"
is "$(texts | sort | uniq -c | xargs)" "2 task T005 1 task T006" "it is tried once more, and then the other"
is "$(marks | xargs)" "T005 x T006" "only the other is marked"
like "$out" 'T005: ' "and it is said what is left"
no_leftovers "nothing goes on"
done_testing
