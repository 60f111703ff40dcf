#!/usr/bin/env bash
# A promise counts wherever it stands in a line; who quotes it or repeats his prompt has not made it.
. "$(dirname "$0")/loop-review.sh"

promise='<promise>TICKET_a_COMPLETE</promise>'
says() {
	rm -rf "$T/work/p" && project "$T/work/p"
	ticket a && commit
	printf '%s\n' "$1" >"$T/said"
	looped -- cat "$T/said"
}

says "I shall print \"$promise\" when it is done."
exit_is 11 "an announcement that quotes it is no promise"
like "$err" 'a: FAILED \(not-closed\)' "and the ticket is not closed"
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
says "All tests pass. $promise"
exit_is 0 "at the end of a sentence it is one, too"
says "I'm done: $promise (the ticket is closed)"
exit_is 0 "and in the middle of it"
says "{\"type\":\"text\",\"text\":\"All done. $promise\"}"
exit_is 0 "and so in JSON"
says "I shall print \`$promise\` when it is done."
exit_is 11 "a quotation in backquotes is none"
says "\`$promise\`"
exit_is 0 "but in backquotes alone on its line it is one"
says "Done:

\`\`\`
$promise
\`\`\`"
exit_is 0 "and so on a line of a code block"
says "\`\`\`
echo \"$promise\"
\`\`\`"
exit_is 11 "where a line that quotes it is none, either"
rm -rf "$T/work/p" && project "$T/work/p"
ticket a && commit
looped -- cat
exit_is 11 "whoever only repeats his prompt has promised nothing"
done_testing
