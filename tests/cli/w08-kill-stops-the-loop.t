#!/usr/bin/env bash
# W8: after kill no iteration follows.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 9 -- claude
wait_for 20 agents 1
swarm kill agent >said
end_bg 20 "$bg"
is "$(wc -l <starts) $(swarm status agent | cut -d ' ' -f 2) $(state_of agent .status)" "1 stopped stopped" "worker and loop are stopped"
no_leftovers "nothing goes on"
done_testing
