#!/usr/bin/env bash
# W23: init, status, reset and lessons do something.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
ticket pt-1
work_on
run "$RALPH" loop status
exit_is 0 "status"
like "$out$err" '1' "has something to tell"
run "$RALPH" loop lessons
exit_is 0 "lessons"
run "$RALPH" loop reset
exit_is 0 "reset"
not_ok "progress.md is as new" progress_says 'pt-1'
run "$RALPH" loop init
exit_is 0 "init can be repeated"
