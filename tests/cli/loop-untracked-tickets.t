#!/usr/bin/env bash
# Tickets that git does not know are closed in the project itself, from within the worktrees.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project untracked
ticket pt-1
ticket pt-2 deps=pt-1
ticket pt-3
does pt-3 'work; exit 1'
work_on --parallel 2
exit_is 11 "one failed"
is "$(summary Completed)" "2 (pt-1 pt-2)" "the dependent one was unlocked"
is "$(status_of pt-1) $(status_of pt-2) $(status_of pt-3)" "closed closed open" "the files say so"
ok "the work landed" has main out/pt-2
not_ok "the tickets did not" has main .tickets
does pt-3 <<'SCRIPT'
echo conflict >file; close_ticket; commit
echo other >"$T/work/project/file"; git -C "$T/work/project" commit -qam other
SCRIPT
work_on
is "$(status_of pt-3)" open "a ticket whose work could not be merged is open again"
