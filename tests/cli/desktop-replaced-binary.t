#!/usr/bin/env bash
# Pictures of the screen are taken though the program and its helper were replaced.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"
desktop_needs
. "$(dirname "$0")/installed.sh"
. "$root/tests/cli/todo.sh"

project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $KIND in task) while [ ! -e "$LED/go.$TASK" ]; do sleep 0.05; done; done_by_tag ;; esac
END
start_display
todo_bg --desktop
wait_for 30 gets task T001
: >"$led/go.T001"
wait_for 30 test -s ai/ralph/screenshots/T001_complete.png && pass "a picture of the first task"
wait_for 30 gets task T002
replace broken
: >"$led/go.T002"
end_bg 30 "$bg"
exit_is 0 "the tasks are done"
is "$(size ai/ralph/screenshots/T002_complete.png)" 1024x768 "a picture of the second, by the helper of before"
unlike "$err" 'screenshot|ralph-desktop' "without a complaint"
end_display
no_leftovers "nothing goes on"
done_testing
