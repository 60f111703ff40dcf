#!/usr/bin/env bash
# The state home is removed while a loop over tickets runs: it ends its workers and ends, and what they did stays.
. "$(dirname "$0")/../cli/tickets.sh"

new_project
ticket one
ticket two
does one 'work; commit; hang'
work_on_bg --parallel 1
wait_for 60 said "$T/log" '^start one '
wait_for 60 test -e "$(git worktree list --porcelain | sed -n 's/^worktree //p' | tail -n 1)/out/one"
supervisor=$bg
wait_for 30 rm -rf "$RALPH_HOME" 2>/dev/null
end_bg 60 "$supervisor"
exit_is 1 "it ends, and not with success"
like "$err" 'because its record was removed or moved away: ' "and says why"
unlike "$err" "'ralph loop' goes on|resume" "and advises nothing"
is "$(starts two)" 0 "no other worker was started"
ok "what the worker committed is kept" kept "work of one"
not_ok "nothing is made in the home" test -e "$RALPH_HOME"
does one 'work; close_ticket; commit'
work_on
exit_is 0 "the next run does the rest"
is "$(status_of one) $(status_of two)" "closed closed" "both tickets"
no_leftovers "nothing goes on"
done_testing
