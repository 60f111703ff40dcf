#!/usr/bin/env bash
# The answers to a question are counted across kill -9 of the supervisor: three in all, not three a
# life.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks for ever' '- [ ] T002: Done'
worker <<'END'
case $TASK.$KIND in
T001.task | T001.help) [ "$N" -ne 3 ] || : >"$LED/second"; ralph stuck "Why does line $N fail?" ;;
T002.task) done_by_tag ;;
esac
END
todo_bg --help-command "test \"\$(ls $led | grep -c help)\" -ne 1 || { touch $led/asked; cat $led/go; }; echo because"
mkfifo "$led/go"
wait_for 20 test -e "$led/asked"
# The views come after the answer is on its way.
counted() { [[ $(jq -c '[.interventions[] | [.task_id, .count]]' ai/ralph/state.json) == "$1" ]]; }
wait_for 20 counted '[["T001",2]]'
crash "$bg"
rm "$led/go" && echo >"$led/go"
todo --help-command 'echo never used: a run that goes on does as it began'
exit_is 11 "goes on"
like "$err" 'going on with the run that was interrupted' "and says so"
is "$(texts | grep -v clear | xargs)" "task T001 help T001 help T001 help T001 task T002" "three answers in all"
is "$(jq -c '[.interventions[] | [.task_id, .count]]' ai/ralph/state.json)" '[["T001",3]]' "as the state has it"
like "$(grep T001 ai/todo.md)" '^- \[~\].*\*\*BLOCKED\*\* - stuck after 3 interventions' "then it is blocked"
is "$(cut -d ' ' -f 3 "$led/log" | sort -u | wc -l)" 1 "the worker was the same all the time"
no_leftovers "nothing goes on"
done_testing
