#!/usr/bin/env bash
# A list with one id twice, since a task began, is asked for again, but not in silence; when it is
# mended the work goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $TASK.$KIND in
T001.task)
	echo one >one.txt
	ralph done --summary one
	echo '- [ ] T002: Two once more' >>ai/todo.md ;;
T002.task) echo two >two.txt; ralph done --summary two ;;
esac
END
todo_bg --on-alert 'jq -r .text >>alerts'
wait_for 120 said alerts 'T002 is the id of two tasks'
run "$RALPH" status "$name"
like "$out" 'T002 is the id of two tasks' "status says what is wrong"
sed -i '/once more/d' ai/todo.md
"$RALPH" pause "$name" >paused
"$RALPH" resume "$name" >resumed
end_bg 120 "$bg"
exit_is 0 "once it can be read the work goes on"
is "$(marks | paste -sd,)" "x T001,x T002" "to the end"
no_leftovers "nothing goes on"
done_testing
