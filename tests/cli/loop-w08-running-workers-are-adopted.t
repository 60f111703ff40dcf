#!/usr/bin/env bash
# W8: a worker that outlived its loop is found again by the next one, not killed as an orphan.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
ticket pt-1
does pt-1 <<'SCRIPT'
echo $$ >"$T/pid"; after go; work; close_ticket; commit
SCRIPT
work_on_bg
wait_for 20 said "$T/log" '^start pt-1'
crash "$bg"
not_ok "the worker outlives the loop" gone "$(cat "$T/pid")"
work_on_bg
wait_for 20 said "$T/bg.$bg.err" .
not_ok "and the start of the next one" gone "$(cat "$T/pid")"
echo go >>"$T/log"
end_bg 30 "$bg"
is "$status" 0 "which then finishes"
is "$(starts)" 1 "with the same worker"
ok "its work lands" has main out/pt-1
like "$err" $'\npt-1: COMPLETE \\(exit 0\\)\n' "as if nothing had happened"
