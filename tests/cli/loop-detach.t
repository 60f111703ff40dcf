#!/usr/bin/env bash
# --detach: the run goes on in the background, and can be waited for, paused and stopped like any loop.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 'after go; work; close_ticket; commit'
does pt-3 'work "half of pt-3"; note ready; hang'
work_on --detach --name work
exit_is 0 "it is started"
unlike "$out" "promise" "and promises nothing yet"
wait_for 20 said "$T/log" '^start pt-1'
work_on
exit_is 1 "a second one is refused"
run "$RALPH" pause work
exit_is 0 "it can be paused"
echo go >>"$T/log"
wait_for 20 has main out/pt-1
is "$(starts pt-2)" 0 "then nothing new is started"
run "$RALPH" resume work
wait_for 20 said "$T/log" '^ready'
run "$RALPH" stop work
exit_is 0 "it can be stopped"
no_leftovers "with its agents"
is "$(status_of pt-3)" open "the ticket that was at work is open"
does pt-3 'work; close_ticket; commit'
work_on
exit_is 0 "ralph loop goes on with the run"
is "$(summary Completed)" "3 (pt-1 pt-2 pt-3)" "to its end"
done_testing
