#!/usr/bin/env bash
# Weakness 8: a task in progress could never be completed, and the wrong one was marked.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [~] T001: In progress **WIP**' '- [ ] T010: Ten' '- [ ] T0011: Eleven' '- [ ] T1000: Thousand'
worker <<'END'
case $TASK.$KIND in
T001.task | T1000.task) ralph done ;;
*.task) ralph blocked no ;;
esac
END
todo --commit off
exit_is 11 "two and two"
is "$(marks | xargs)" "x T001 ~ T010 ~ T0011 x T1000" "each has its own mark"
unlike "$(grep T001: ai/todo.md)" WIP "what is done is not in progress"
no_leftovers "nothing goes on"
done_testing
