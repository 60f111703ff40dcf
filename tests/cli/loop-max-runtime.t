#!/usr/bin/env bash
# The time for the whole run is used before the tickets are done: that is said, and is no success; what was
# begun is kept, and the next run goes on with it.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
config maxRuntimeMs 4000
does pt-2 <<'SCRIPT'
if [[ ! -e $T/again ]]; then echo half >half.txt; hang; fi
close_ticket
commit
SCRIPT
work_on --parallel 1
exit_is 10 "as when the iterations are used"
like "$err" 'Max runtime reached after 2 iterations, and there are more tickets\.' "it says so"
like "$err" 'ALERT: max runtime reached after 2 iterations, and there are more tickets' "with an alert in the same words"
unlike "$out" 'COMPLETE' "and promises nothing"
is "$(git ls-tree --name-only main half.txt)" "" "what was begun has not landed"
touch "$T/again"
work_on --parallel 1
exit_is 0 "the next run does the rest"
is "$(git show main:half.txt)" half "with what was begun"
no_leftovers "nothing goes on"
done_testing
