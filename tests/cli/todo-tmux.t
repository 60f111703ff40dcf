#!/usr/bin/env bash
# --tmux: the worker in a window of its own, which stays from task to task and goes with the loop.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in task) echo "working on $TASK"; while [ ! -e "$LED/go.$TASK" ]; do sleep 0.05; done; ralph done ;; esac
END
shows() { tmux capture-pane -t "swarm:$name" -p 2>/dev/null | grep -q "$1"; }
window() { tmux list-windows -a -F '#{window_id} #{pane_pid} #{session_name}:#{window_name}'; }
todo_bg --tmux
wait_for 20 shows 'working on T001' && pass "it can be watched"
first=$(window)
like "$first" "swarm:$name" "in a window with the loop's name"
: >"$led/go.T001"
wait_for 20 shows 'working on T002'
is "$(window)" "$first" "the same for the next task"
: >"$led/go.T002"
end_bg 20 "$bg"
exit_is 0 "done"
unlike "$(window 2>/dev/null)" "$name" "the window is gone"
tmux kill-server 2>/dev/null
no_leftovers "nothing goes on"
done_testing
