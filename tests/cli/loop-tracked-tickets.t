#!/usr/bin/env bash
# Tickets that git knows are closed by the merge; dependents are unlocked even where the checkout
# cannot follow.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
ticket pt-1
ticket pt-2 deps=pt-1
commit_tickets
echo "the user's" >>file
echo "the user's" >>.tickets/pt-1.md
does pt-1 'echo by pt-1 >>file; work; close_ticket; commit'
work_on_dirty() {
	run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
}
work_on_dirty
exit_is 14 "both are done, and wait"
is "$(summary Completed)" "2 (pt-1 pt-2)" "one after the other"
is "$(cat file)" $'one\nthe user\'s' "the user's change is untouched"
is "$(tail -n 1 .tickets/pt-1.md)" "the user's" "in the ticket, too"
ok "the work is kept" kept "work of pt-2"
git checkout -q -- file .tickets
work_on_dirty
ok "and lands when the checkout is clean" has main out/pt-2
