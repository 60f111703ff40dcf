#!/usr/bin/env bash
# An agent that kills its keeper harms no other: what it left is ended, their processes go on.
. "$(dirname "$0")/tickets.sh"
. "$(dirname "$0")/stray.sh"

new_project
config parallelWorkers 2
ticket bad "tags=[component:a]"
ticket good "tags=[component:b]"
does bad "exec $stray $T/place"
does good <<SCRIPT
setsid sleep 93 &
echo \$! >$T/helper
after over $T/bad
kill -0 \$(cat $T/helper) && touch $T/lived
kill \$(cat $T/helper)
work; close_ticket; commit
SCRIPT
work_on_bg
wait_for 30 test -s "$T/place/daemon" -a -s "$T/helper"
wait_for 30 gone "$(<"$T/place/daemon")" && pass "what the agent left is ended"
wait_for 30 progress_says 'bad'
echo over >"$T/bad"
end_bg 60 "$bg"
exit_is 11 "the run is over, and one of two has failed"
ok "a process of the other agent was let be" test -e "$T/lived"
is "$(status_of good)" closed "and its work is done"
no_leftovers "nothing goes on"
done_testing
