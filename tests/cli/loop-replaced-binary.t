#!/usr/bin/env bash
# A run over tickets goes on while its program is replaced: worktrees, agents and merges.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/installed.sh"
. "$(dirname "$0")/tickets.sh"

new_project
ticket a
ticket b deps=a
does a "after go; work; close_ticket; commit"
work_on_bg
wait_for 30 grep -q 'start a' "$T/log"
replace gone
echo go >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "all tickets are done"
ok "the one that was being worked on landed" has main out/a
ok "and the one that was started afterwards" has main out/b
no_leftovers "nothing goes on"
done_testing
