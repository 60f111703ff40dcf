#!/usr/bin/env bash
# A promise is one that stands alone on its line; who only speaks of it has not made it.
. "$(dirname "$0")/loop-review.sh"

promise='<promise>TICKET_a_COMPLETE</promise>'
says() {
	rm -rf "$T/work/p" && project "$T/work/p"
	ticket a && commit
	printf '%s\n' "$1" >"$T/said"
	looped -- cat "$T/said"
}

says "I shall print \"$promise\" when it is done."
exit_is 11 "an announcement is no promise"
like "$err" 'a: FAILED \(not-closed\)' "and the ticket is not closed"
says "+	say $promise at the end"
exit_is 11 "nor is a line of a diff"
says "{\"type\":\"text\",\"text\":\"I shall say \\\"$promise\\\"\"}"
exit_is 11 "nor an announcement in JSON"
says "$promise"
exit_is 0 "alone on its line it is"
unlike "$err" 'stopping loop' "that ends the ticket's session, not the loop"
is "$(git show main:.tickets/a.md | sed -n 's/^status: //p')" closed "and closes the ticket"
says "  **$promise**"
exit_is 0 "also in Markdown"
says "{\"type\":\"text\",\"text\":\"Done.\\n\\n$promise\"}"
exit_is 0 "and alone on a line of a text in JSON"
says "{\"result\":\"$promise\"}"
exit_is 0 "or as the whole of it"
done_testing
