#!/usr/bin/env bash
# W14: no name of a new worker leads elsewhere.
. "$(dirname "$0")/../cli/seed.sh"

for name in ../../evil .. a/b '' -x; do
	run swarm spawn --name="$name" --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- touch started
	exit_is 2 "'$name' is refused"
done
is "$(find ~ ! -path ~ ! -name .gitconfig) $(ls)" " PROMPT.md" "and nothing was written or started"
no_leftovers "nothing goes on"
done_testing
