#!/usr/bin/env bash
# Weakness 3: the DONE of the task before was still there and was taken for the next; or one that came
# between two looks was lost.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T001.task) file T001; file T002 T002; tag DONE ;;
T002.task) file; printf '\033[H\033[J<promise>DONE:T001</promise>\n<promise>BLOCKED:x'; tag PROGRESS:50; while [ ! -e "$LED/go" ]; do sleep 0.05; done; tag DONE:T002 ;;
T003.task) file; tag DONE; printf '\033[2J\033[H' ;;
esac
END
todo_bg --commit off --clear ''
wait_for 20 said "$T/bg.$bg.out" 'T002: 50 %'
is "$(texts | xargs)" "task T001 task T002" "the screen was not cleared"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 1 "what is still on it, or names another task, is not believed"
: >"$led/go"
end_bg 20 "$bg"
exit_is 0 "its own word is, also one that is gone again at once"
is "$(marks | xargs)" "x T001 x T002 x T003" "all are done"
no_leftovers "nothing goes on"
done_testing
