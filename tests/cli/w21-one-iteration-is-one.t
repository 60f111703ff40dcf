#!/usr/bin/env bash
# W21: the last iteration is watched like all others.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; exit 4' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- claude
wait_for 20 agents 1
swarm ralph pause agent >said
swarm ralph resume agent >said
is "$(state_of agent .status)" running "a loop of one iteration runs while its agent does"
touch go
end_bg 20 "$bg"
like "$(grep -v paus <<<"$out" | grep -v resum)" 'starting iteration 1/1
.*iteration 1 failed \(exit: 4\)
.*loop complete after 1 iterations$' "then it is complete"
like "$(cat "$(log_of agent)")" '\[START\] iteration 1/1
.*\[END\] iteration 1 exit=4 ' "with both lines in the log"
no_leftovers "nothing goes on"
done_testing
