#!/usr/bin/env bash
# W18: SIGTERM ends the workers, frees the lock, keeps the work, and the run can go on.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
does pt-1 <<'SCRIPT'
work "half of pt-1"; echo $$ >"$T/pid"; note ready; hang
SCRIPT
work_on_bg
wait_for 20 said "$T/log" '^ready'
kill -TERM "$bg"
end_bg 30 "$bg"
is "$status" 143 "ended by SIGTERM"
is "$out" "" "without a promise"
ok "the worker is gone" gone "$(cat "$T/pid")"
no_leftovers "so is everything else"
is "$(cat .tf/ralph/dispatch-loop.lock 2>/dev/null)" "" "the lock names nobody"
not_ok "progress.md does not say RUNNING" progress_says 'Status: RUNNING'
ok "what the worker wrote is there" grep -rqs 'half of pt-1' .tf/ralph/worktrees
is "$(starts pt-2)" 0 "no other one was started"
does pt-1 'work; close_ticket; commit'
work_on
exit_is 0 "the run goes on"
is "$(status_of pt-1) $(status_of pt-2)" "closed closed" "to its end"
done_testing
