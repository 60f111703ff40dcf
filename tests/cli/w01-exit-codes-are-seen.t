#!/usr/bin/env bash
# W1: the exit code of an agent in tmux is seen, recorded and counted; so is a signal.
. "$(dirname "$0")/../cli/seed.sh"

echo 'when-iteration 1 exit 3; when-iteration 2 die KILL; when-iteration 3 exit 0' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
exit_is 0 "the loop goes through"
is "$(sed -n 's/^.*\(iteration . .*(exit: [0-9]*\).*/\1/p' <<<"$out")" "iteration 1 failed (exit: 3
iteration 2 failed (exit: 137
iteration 3 completed (exit: 0" "each exit code is told"
is "$(sed -n 's/.*\[END\].*\(exit=[0-9]*\).*/\1/p' "$(log_of agent)" | xargs)" "exit=3 exit=137 exit=0" "and in the log"
is "$(state_of agent .total_failures)" 2 "and counted"
no_leftovers "nothing goes on"
done_testing
