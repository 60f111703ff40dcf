#!/usr/bin/env bash
# verify and setup have the time that verifyTimeoutMs and setupTimeoutMs give them.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
config verify '"sleep 600"'
config verifyTimeoutMs 1000
work_on
exit_is 11 "a verify command that takes too long fails its ticket"
like "$err" 'verify took longer than 1s' "and says after how long it was ended"
config verify null
ticket pt-2
config setup '"sleep 600"'
config setupTimeoutMs 1000
work_on
exit_is 11 "so does a setup command"
is "$(starts pt-2)" 0 "whose agent is not started"
like "$err" 'the setup command took longer than 1s' "which is named"
config setupTimeoutMs -1
work_on
exit_is 1 "less than nothing is refused"
like "$err" 'setupTimeoutMs' "by name"
no_leftovers "nothing goes on"
done_testing
