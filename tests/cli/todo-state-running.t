#!/usr/bin/env bash
# While a task is worked on, state.json names it, counts the iteration and what is completed, and moves on
# with every task.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in
task)
	while ! [ -e "$LED/go.$TASK" ]; do sleep 0.05; done
	ralph done ;;
esac
END
state_is() { [[ $(jq -c "$1" ai/ralph/state.json 2>/dev/null) == "$2" ]]; }
how='[.current_task, .iteration, .tasks_completed, .tasks_stuck, .status]'
todo_bg --commit off
wait_for 20 state_is "$how" '["T001",1,[],[],"running"]' && pass "the first task is the current one"
began=$(jq -r .started_at ai/ralph/state.json)
like "$began" '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$' "it says when all began"
like "$(jq -r '[.session_id, .worker_pty] | join(" ")' ai/ralph/state.json)" '^[^ ]+ [^ ]+$' "and names session and worker"
: >"$led/go.T001"
wait_for 20 state_is "$how" '["T002",2,["T001"],[],"running"]' && pass "then the second, with the first completed"
is "$(jq -r .started_at ai/ralph/state.json)" "$began" "the beginning stays"
ok "the last activity does not lie before it" test ! "$(jq -r .last_activity ai/ralph/state.json)" '<' "$began"
: >"$led/go.T002"
end_bg 30 "$bg"
exit_is 0 "done"
is "$(jq -c "$how" ai/ralph/state.json)" '[null,2,["T001","T002"],[],"complete"]' "at the end none is the current one"
no_leftovers "nothing goes on"
done_testing
