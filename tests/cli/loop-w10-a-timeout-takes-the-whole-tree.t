#!/usr/bin/env bash
# W10: grandchildren do not survive a timeout, whatever session or group they moved to.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
ticket pt-1
does pt-1 <<'SCRIPT'
setsid sh -c 'echo $$ >"$T/pid.1"; exec sleep 600' &
(trap "" TERM; setsid setsid sh -c 'trap "" TERM; echo $$ >"$T/pid.2"; while :; do sleep 600; done' & )
after "" "$T/pid.1"; after "" "$T/pid.2"
hang
SCRIPT
work_on --timeout 2s --grace 0.3
exit_is 11 "the ticket failed"
ok "a child in a session of its own is gone" gone "$(cat "$T/pid.1")"
ok "so is an orphan that ignores SIGTERM" gone "$(cat "$T/pid.2")"
no_leftovers "nothing is left"
