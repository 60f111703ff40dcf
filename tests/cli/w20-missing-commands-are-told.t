#!/usr/bin/env bash
# W20: a command that is not there is not reported as spawned.
. "$(dirname "$0")/../cli/seed.sh"

for how in "" --tmux "--ralph --prompt-file ./PROMPT.md --max-iterations 3"; do
	# shellcheck disable=SC2086 # options
	run swarm spawn --name w $how -- no-such-command
	is "$status $out$err" "1 swarm: error: command not found: no-such-command" "spawn $how"
done
is "$(swarm ls) $(windows)" " " "and nothing is left of it"
no_leftovers "nothing goes on"
done_testing
