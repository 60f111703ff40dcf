#!/usr/bin/env bash
# W19: the output of a worker that has ended stays, and no command breaks on it.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name w --tmux -- "$AGENT" -e 'println last words' >said
swarm wait w >said
wait_for 20 windows_are ""
run swarm logs w
is "$status $out$err" "0 last words" "logs"
run swarm peek w
is "$status $out$err" "0 last words" "peek"
run swarm attach w
exit_is 1 "attach is an error"
is "$(wc -l <<<"$err")" 1 "of one sentence"
like "$err" '^swarm: error: ' "that says so"
no_leftovers "nothing goes on"
done_testing
