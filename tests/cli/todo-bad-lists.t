#!/usr/bin/env bash
# What is wrong with a list is said before anything is begun; lines without an id are left alone.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [x] T1: One once more'
cp ai/todo.md before
todo
exit_is 1 "two lines with one id"
like "$err" 'T0?0?1.*line 4.*line 6|lines? 4 and (line )?6' "are refused, with both lines"
ok "the list is as it was" cmp before ai/todo.md
not_ok "nothing was begun" test -e "$led/log"

list '- [ ] T001: One' '- [ ] without an id' '- [ ] T00x: almost'
worker <<'END'
case $KIND in task) ralph done ;; esac
END
todo
exit_is 12 "lines without an id"
like "$err" 'line 5' "are said"
is "$(sed -n '5,$p' ai/todo.md)" "- [ ] without an id
- [ ] T00x: almost" "and left alone"

: >ai/todo.md
todo
exit_is 0 "an empty list"
is "$out" "there are no tasks in it" "is told as such"
no_leftovers "nothing goes on"
done_testing
