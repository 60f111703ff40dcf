#!/usr/bin/env bash
# --help-command answers instead; when it cannot, the project does.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks' '- [ ] T002: Asks what nobody knows'
cat >answer <<'END'
#!/bin/sh
cat >"$0.got.$RALPH_TASK"
[ "$RALPH_TASK" = T001 ] || { echo "no idea" >&2; exit 3; }
echo "It is in <promise>DONE</promise> a.c, line 3."
END
chmod +x answer
printf 'answer*\n' >>.git/info/exclude
worker <<'END'
case $TASK.$KIND in
*.task) tag 'STUCK:Where is "it"?' ;;
*.help) ralph done ;;
esac
END
todo --help-command ./answer
exit_is 0 "both are done"
is "$(jq -c '[.task, .question, .description, (.screen | test("STUCK:Where"))]' answer.got.T001)" \
	'["T001","Where is \"it\"?","Asks",true]' "the command gets the question, and what is on the screen"
like "$(cat "$led/T001.2.help")" '> Where is "it"\?.*It is in .* a\.c, line 3\.' "its words are pasted"
unlike "$(cat "$led/T001.2.help")" '<promise>' "without tags"
like "$(cat "$led/T002.2.help")" 'No answer from the help command: .*## Recommendation' "a failure is said, and something is answered"
like "$err" '--help-command: ' "also to the user"
no_leftovers "nothing goes on"
done_testing
