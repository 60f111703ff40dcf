#!/usr/bin/env bash
# A done pattern that cannot be one is a usage error that says what is wrong.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
for pattern in '(' '[' '*a' 'a{3,2}' '(?P<n>a)(?P<n>b)' '(?P=x)' '\1' '(?<=a+)b' '(?z)'; do
	run "${loop[@]}" x --max-iterations 1 --done-pattern "$pattern" -- "$AGENT" -e 'touch started'
	like "$status $err" '^2 ralph: error: --done-pattern: .+' "$pattern"
done
is "$(wc -l <<<"$err")" 1 "in one sentence"
not_ok "no agent was started" test -e started
not_ok "and no loop made" test -e "$RALPH_HOME/loops/x"
for pattern in 'a{,2}' '(?i)DONE' '\bx\b' '[[a]' 'a{' '(?P<n>a)(?P=n)' 'ä+'; do
	run "${loop[@]}" x --max-iterations 1 --done-pattern "$pattern" -- "$AGENT" -e 'println q'
	like "$status $err" '^(0 |10 .*the done pattern never matched)$' "$pattern is fine"
done
no_leftovers "nothing goes on"
done_testing
