#!/usr/bin/env bash
# Weakness 10: nobody knew what "the same issue" is, and the count lived in a memory.  Case, digits,
# paths and quotes make no other question; another question is one.  (todo-stuck-restart.t kills.)
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks'
worker <<'END'
case $KIND.$N in
task.1) ralph stuck 'Why does /a/b/x.c fail at line 10?' ;;
help.2) ralph stuck 'why does "x.c" fail, at line 977' ;;
help.3) ralph stuck 'Where is the schema?' ;;
help.4) ralph stuck 'WHY DOES src/x.c FAIL at line 3???' ;;
*) ralph done ;;
esac
END
todo --commit off --max-interventions 2
exit_is 11 "the third time is once too often"
is "$(texts | xargs)" "task T001 help T001 help T001 help T001" "two answers to one question, one to the other"
is "$(jq -c '[.interventions[].count]' ai/ralph/state.json)" '[2,1]' "as the state counts"
no_leftovers "nothing goes on"
done_testing
