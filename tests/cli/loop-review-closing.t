#!/usr/bin/env bash
# Who closes a ticket: the agent in its tree, we after a promise, or the user, whose word stands.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/named"
ticket a other && commit
looped -- sh -c 'echo work >work; echo "<promise>TICKET_a_COMPLETE</promise>"'
exit_is 0 "a promise, where the file has another name than the ticket"
is "$(status_of other)" closed "closes it"

project "$T/work/users"
ticket a && commit
cat >"$T/fails" <<SCRIPT
#!/bin/sh
echo begun >>"$T/log"
until [ -e "$T/go" ]; do sleep 0.05; done
exit 1
SCRIPT
chmod +x "$T/fails"
run_bg "$RALPH" loop -- "$T/fails"
wait_for 20 grep -q begun "$T/log"
sed -i 's/^status: .*/status: closed/' .tickets/a.md && commit "not wanted any more"
touch "$T/go"
end_bg 20 "$bg"
exit_is 11 "an agent fails at a ticket that its user closed meanwhile"
is "$(status_of a)" closed "it stays closed"
is "$(git status --short)" "" "and nothing of the user's was changed"

project "$T/work/shared"
echo .tickets >>.gitignore
ticket a && commit
looped -- sh -c 'sed -i "s/^status: .*/status: closed/" ../../../../.tickets/a.md; exit 1'
exit_is 11 "an agent closes the only file of its ticket and fails"
is "$(status_of a)" open "it is open again"

project "$T/work/refused"
ticket a && commit
looped --verify false -- "$worker"
like "$err" 'a: FAILED \(unverified\)' "what its agent closed is refused by verify"
looped -- true
like "$err" 'a: FAILED \(not-closed\)' "an agent that then does nothing has not closed it"
not_ok "and nothing landed" git cat-file -e main:out-a
is "$(git show refs/ralph/failed/a/1:out-a)" "work of a" "the work is kept"
done_testing
