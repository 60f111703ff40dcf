#!/usr/bin/env bash
# sleepBetweenTickets keeps the slot empty whose ticket has ended: not the slots beside it, and not the end of the run.
. "$(dirname "$0")/tickets.sh"

new_project
config sleepBetweenTickets 3600000
ticket pt-1 tags='[component:a]'
ticket pt-2 tags='[component:b]'
does pt-2 <<'SCRIPT'
after "go on"; work; close_ticket; commit
SCRIPT
work_on_bg --parallel 3
wait_for 60 said "$T/log" "^start pt-2"
wait_for 60 said "$T/bg.$bg.err" "^pt-1: COMPLETE|^Progress updated"
# Committed before it is there to be seen: the loop may start it at once.
mkdir -p "$T/aside/.tickets"
(cd "$T/aside" && ticket pt-3 tags='[component:c]')
git update-index --add --cacheinfo "100644,$(git hash-object -w "$T/aside/.tickets/pt-3.md"),.tickets/pt-3.md"
git commit -qm three
git checkout -q -- .tickets/pt-3.md
wait_for 60 said "$T/log" "^end pt-3 0"
is "$(starts pt-3)" 1 "while the slot of one ticket rests for an hour, another slot takes the next ticket"
not_ok "the run goes on" lib_gone "$bg"
echo "go on" >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "after the last ticket nobody waits"
unlike "$err" 'slots? rest' "and of rests that nothing follows is not spoken"
is "$(git show main:out/pt-1 main:out/pt-2 main:out/pt-3 | grep -c 'work of')" 3 "all three have landed"

# One slot: the next ticket comes after the pause, and `status` says that it is waited for.
config sleepBetweenTickets 4000
ticket pt-4
ticket pt-5
does pt-4 <<'SCRIPT'
work; close_ticket; commit; date +%s%N >"$T/ended"
SCRIPT
does pt-5 <<'SCRIPT'
date +%s%N >"$T/began"; work; close_ticket; commit
SCRIPT
work_on_bg
waits() { "$RALPH" status 2>&1 project-loop | grep -q '^Waiting: delay, [1-4]s left'; }
wait_for 60 waits
end_bg 60 "$bg"
exit_is 0 "both are done"
is "$(grep -c '^One slot rests for 4s (sleepBetweenTickets)$' <<<"$err")" 1 "the rest between them is told, the one after the last is not"
ok "the second began four seconds after the first or later" test "$(($(cat "$T/began") - $(cat "$T/ended")))" -ge 4000000000
no_leftovers "nothing goes on"
done_testing
