#!/usr/bin/env bash
# status, pause, resume, logs, attach, send and stop know a todo list as they know every loop.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
*.task) echo "working on $TASK"; while [ ! -e "$LED/go.$TASK" ]; do sleep 0.05; done; ralph done ;;
*.other) : >"$LED/heard" ;;
esac
END
run "$RALPH" todo --detach -- "${lead[@]}"
exit_is 0 "in the background"
wait_for 20 gets task T001
wait_for 20 field_is "$name" '.sessions[0].ticket' T001
run "$RALPH" status "$name"
like "$out" 'Tasks: 0 completed, 0 failed.*T001, pid' "status names the task"
wait_for 20 bash -c '"$0" logs "$1" | grep -q "working on T001"' "$RALPH" "$name" && pass "logs shows what it prints"
run "$RALPH" pause "$name"
exit_is 0 "pause"
: >"$led/go.T001"
wait_for 20 field_is "$name" .completed 1 && pass "the task is finished"
is "$(field "$name" .status)" paused "then it waits"
is "$(marks | xargs)" "x T001 T002 T003" "one is done"
is "$(texts | xargs)" "task T001" "the next is not given"
run "$RALPH" resume "$name"
exit_is 0 "resume"
wait_for 20 gets task T002 && pass "goes on"
tmux -f /dev/null new-session -d -x 120 -y 40 "$(printf '%q ' "$RALPH" attach "$name")"
wait_for 20 bash -c 'tmux capture-pane -p | grep -q "working on T002"' && pass "attach shows the worker"
tmux kill-server
: >"$led/go.T002"
wait_for 20 gets task T003
run "$RALPH" stop "$name"
exit_is 0 "stop"
is "$(field "$name" .exit_reason)" stopped "ends it"
is "$(marks | xargs)" "x T001 x T002 T003" "and keeps all"
: >"$led/go.T003"
todo
exit_is 0 "and it can go on"
is "$(marks | xargs)" "x T001 x T002 x T003" "to the end"
no_leftovers "nothing goes on"
done_testing
