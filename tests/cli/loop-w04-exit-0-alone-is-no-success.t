#!/usr/bin/env bash
# W4: exit 0 without a closed ticket and without a promise is a failure, and is not repeated for ever.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
does pt-1 work
work_on --max 6
exit_is 11 "it failed"
like "$err" $'\npt-1: FAILED \\(not-closed\\)\n' "because the ticket is not closed"
is "$(starts)" 1 "it was tried once"
is "$(status_of pt-1)" open "it is open"
ok "what it wrote is kept" kept "work of pt-1"

does pt-1 'work; promise'
work_on
exit_is 0 "a promise will do"
ok "and the work lands" has main out/pt-1

ticket pt-2
does pt-2 'work; promise'
work_on --require-closed
exit_is 11 "not with --require-closed"
like "$err" $'\npt-2: FAILED \\(not-closed\\)\n' "for the same cause"
does pt-2 work
work_on --trust-exit
exit_is 0 "exit 0 alone will do with --trust-exit"
ok "then it lands" has main out/pt-2
done_testing
