#!/usr/bin/env bash
# W5: no name leads ralph clean out of its directory.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- true >said
touch ~/precious
for name in .. ../.. . '' / ../../work; do
	run swarm ralph clean -- "$name"
	exit_is 1 "ralph clean '$name' is refused"
done
ok "all is there" test -e ~/precious -a -s ~/.swarm/ralph/agent/state.json -a -s PROMPT.md
no_leftovers "nothing goes on"
done_testing
