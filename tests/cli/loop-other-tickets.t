#!/usr/bin/env bash
# An agent is done with its own ticket: it cannot close the backlog.  New tickets and notes land.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
ticket pt-3 status=in_progress
ticket pt-4
ticket pt-5 status=closed
does pt-1 <<'SCRIPT'
work
sed -i 's/^status: .*/status: closed/' .tickets/*.md
sed -i 's/^status: .*/status: open/' .tickets/pt-5.md
rm .tickets/pt-4.md
echo "A note for the second." >>.tickets/pt-2.md
sed 's/^id: .*/id: pt-6/; s/^status: .*/status: closed/' .tickets/pt-1.md >.tickets/pt-6.md
commit
promise
SCRIPT
work_on
exit_is 0 "all are done"
is "$(starts)" 4 "each by its own agent"
is "$(starts pt-2) $(starts pt-3) $(starts pt-4) $(starts pt-5)" "1 1 1 0" "also those that another agent closed or removed"
is "$(summary Completed)" "4 (pt-1 pt-2 pt-3 pt-4)" "only those count as completed"
like "$err" 'other tickets stand, which did not land: pt-2, pt-3, pt-4, pt-5' "what did not land is named when it did not"
like "$err" 'without effect: the status of pt-2, pt-3, pt-4, pt-5 by the agent of pt-1' "and at the end"
ok "and in progress.md" progress_says '^- Did not land: the status of pt-2, pt-3, pt-4, pt-5'
is "$(status_of pt-5)" closed "one that was closed is not opened either"
is "$(status_of pt-6)" closed "a new ticket lands as it is"
is "$(tail -n 1 .tickets/pt-2.md)" "A note for the second." "and so does a note"
ok "the history of the branch never had it" test -z "$(git log --format= --first-parent -p main -- .tickets/pt-4.md | grep deleted)"

# By our own command it is refused at once.
ticket pt-7
ticket pt-8
does pt-7 <<'SCRIPT'
"$RALPH" tk close pt-8 >"$T/refused" 2>&1; echo "$?" >>"$T/refused"
new=$("$RALPH" tk create "Made on the way")
"$RALPH" tk close "$new" && "$RALPH" tk add-note pt-8 "Seen by pt-7"
work
"$RALPH" tk close pt-7
commit
SCRIPT
export RALPH
work_on
exit_is 0 "an agent that closes with our command"
like "$(cat "$T/refused")" $'pt-8 is another ticket.*\n1$' "is refused for another ticket"
ok "may write a note for it" grep -q "Seen by pt-7" .tickets/pt-8.md
is "$(grep -l 'Made on the way' .tickets/*.md | xargs sed -n 's/^status: //p')" closed "and closes what it made itself"
is "$(starts pt-8)" 1 "the other one is worked on"
ok "outside of a session anyone may" "$RALPH" tk reopen pt-8

# In the checkout itself, past its own tree: nothing is written there, and nobody did it.
rm -rf "$project" "$T"/do/* && : >"$T/log" && new_project
ticket pt-1
ticket pt-2
ticket pt-3
does pt-1 'work; close_ticket; commit; sed -i "s/^status: .*/status: closed/" ../../../../.tickets/pt-[23].md'
work_on
exit_is 11 "what an agent closed in the checkout is not complete"
is "$(starts)" 1 "it is not begun"
is "$(summary Completed)" "1 (pt-1)" "and not completed either"
unlike "$err" 'All tickets are done' "nor said to be done"
unlike "$out" "$sigil" "nor promised"
like "$err" 'Closed or removed by others: pt-2, pt-3' "it is named at the end"
like "$err" 'ALERT.*not by this loop: pt-2, pt-3' "and by an alert"
ok "and in progress.md, too" progress_says '^- Closed by others: pt-2, pt-3'
is "$(git status --porcelain -- .tickets | paste -sd,)" " M .tickets/pt-2.md, M .tickets/pt-3.md" "the files are as they were left"
done_testing
