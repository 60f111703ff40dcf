#!/usr/bin/env bash
# The prompt of a ticket asks for the promise only where the work is done: who cannot do it is not told to print it.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
does pt-1 <<'SCRIPT'
cat >"$T/prompt"; work; close_ticket; commit
SCRIPT
work_on
exit_is 0 "the ticket is done"
prompt=$(tr '\n' ' ' <"$T/prompt")
like "$prompt" 'When the work is done, close the ticket: tk close pt-1, or ralph tk close pt-1\.' "it says when to close it"
like "$prompt" 'When the work is not done, leave the ticket open, and do not print the line that follows\.' "what to do otherwise"
like "$prompt" 'Only when the work is done and closing the ticket fails, end by printing on a line of its own: <promise>TICKET_pt-1_COMPLETE</promise>' \
	"and when to promise instead"
unlike "$prompt" '[Ii]f you cannot' "nobody can take it for a word about work that cannot be done"
done_testing
