#!/usr/bin/env bash
# Weakness 11: no deadline for a task, no look whether the worker lives, nothing to go on from.
# (todo-worker-dies.t, todo-interrupted.t and tests/fault/todo.t have the rest.)
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Spins' '- [ ] T002: Two'
worker <<'END'
case $TASK.$KIND in
T001.task) once first || { ralph done; exit; }; while sleep 0.1; do echo "still at it"; done ;;
T002.task) ralph done ;;
esac
END
todo --commit off --iteration-timeout 2 --grace 1s
exit_is 0 "busy without end"
is "$(texts | grep -v clear | xargs)" "task T001 task T001 task T002" "the next worker has the task"
like "$out" 'the worker has ended \(timeout' "and it is said why"
no_leftovers "nothing goes on"
done_testing
