#!/usr/bin/env bash
# A list is worked through while the program is replaced; its display comes back.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/installed.sh"
. "$root/tests/cli/todo.sh"

project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in task) echo "working on $TASK"; while [ ! -e "$LED/go.$TASK" ]; do sleep 0.05; done; done_by_tag ;; esac
END
shows() { tmux capture-pane -t "swarm:$name" -p 2>/dev/null | grep -q "$1"; }
todo_bg --tmux
wait_for 30 shows 'working on T001'
replace over
server=$(tmux display-message -p '#{pid}')
tmux kill-server
wait_for 20 gone "$server"
: >"$led/go.T001"
wait_for 30 shows 'working on T002' && pass "the window is there again for the next task"
: >"$led/go.T002"
end_bg 30 "$bg"
exit_is 0 "the tasks are done"
is "$(marks)" $'x T001\nx T002' "both"
tmux kill-server 2>/dev/null
no_leftovers "nothing goes on"
done_testing
