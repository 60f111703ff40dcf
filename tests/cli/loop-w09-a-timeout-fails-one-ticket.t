#!/usr/bin/env bash
# W9: a timeout ends the worker and fails its ticket; the loop goes on.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
ticket pt-1
ticket pt-2
does pt-1 <<'SCRIPT'
echo $$ >"$T/pid"; hang
SCRIPT
work_on --timeout 1s
exit_is 11 "one failed"
like "$err" $'\npt-1: FAILED \\(timeout\\)\n' "by the timeout"
like "$err" $'\npt-2: COMPLETE \\(exit 0\\)\n' "the next one was done"
ok "the worker is gone" gone "$(cat "$T/pid")"
no_leftovers "with everything"
