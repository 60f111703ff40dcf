#!/usr/bin/env bash
# W2: what a worker wrote but did not commit is committed and lands, and the ticket runs once.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
ticket pt-1
ticket pt-2
does pt-1 'work; close_ticket'
does pt-2 'work; close_ticket'
work_on --parallel 2
exit_is 0 "both are done"
ok "the file of the first is on the branch" has main out/pt-1
ok "so is that of the second" has main out/pt-2
is "$(status_of pt-1) $(status_of pt-2)" "closed closed" "the tickets are closed"
is "$(starts)" 2 "each was tried once"
ok "in a commit of its own" grep -qx 'Ralph: complete pt-1' <(git log --format=%s)
