#!/usr/bin/env bash
# A ticket that an agent works on is not listed as ready, though its file says open.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
does pt-1 'after "go on"; work; close_ticket; commit'
work_on_bg
wait_for 60 said "$T/log" "^start pt-1"
listed() { "$RALPH" loop status --json | jq -c '[[.tickets[].id], [.working_tickets[].id], .ready]'; }
taken() { [[ $(listed) == '[["pt-2"],["pt-1"],1]' ]]; }
ok "it is in work, and the other one is ready" wait_for 30 taken
run "$RALPH" loop status
like "$out" $'Ready tickets: 1\n  pt-2 .*\nTickets in work: 1\n  pt-1 ' "and so it is shown"
echo "go on" >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "both are done"
is "$(listed)" '[[],[],0]' "then nothing is left"
no_leftovers "nothing goes on"
done_testing
