#!/usr/bin/env bash
# W27: a pattern that is none is refused before anything starts.
. "$(dirname "$0")/../cli/seed.sh"

for pattern in '(' '[a' '*' '(?P<n>x'; do
	run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 --done-pattern "$pattern" -- touch started
	exit_is 2 "'$pattern' is refused"
	like "$err" '^swarm: error: --done-pattern: ' "which is said"
done
not_ok "nothing was started" test -e started
not_ok "nor written" test -e ~/.swarm/ralph
no_leftovers "nothing goes on"
done_testing
