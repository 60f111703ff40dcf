#!/usr/bin/env bash
# One run in a project, whatever its name: two would take each other for the task.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $KIND in task) : >"$LED/working"; while [ ! -e "$LED/go" ]; do sleep 0.05; done; ralph done ;; esac
END
todo_bg
wait_for 20 test -e "$led/working"
todo --name other
exit_is 1 "another name"
like "$err" "a todo list of this project is being worked through already by '$name' \(pid $bg\); see: ralph status $name" "is refused, with who it is"
not_ok "and leaves nothing" test -e "$RALPH_HOME/loops/other"
printf -- '- [ ] T009: Nine\n' >other.md
todo other.md --name other
exit_is 1 "another list"
todo
exit_is 1 "the same name"
like "$err" "pid $bg" "is told who it is, too"
todo --new-run
exit_is 1 "also when it would begin anew"
: >"$led/go"
end_bg 30 "$bg"
exit_is 0 "the first one goes on"
is "$(texts | xargs)" "task T001" "alone"
is "$(wc -c <ai/ralph/.lock)" 0 "at the end the lock is empty"
todo other.md --name other
exit_is 0 "then there is room for another"
no_leftovers "nothing goes on"
done_testing
