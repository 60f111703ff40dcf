#!/usr/bin/env bash
# W24: there is one loop of a name.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 9 -- claude
wait_for 20 agents 1
run swarm ralph run agent
exit_is 1 "ralph run of a loop that runs is refused"
like "$err" "is already running \\(pid $bg\\)" "and told who has it"
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 9 -- claude
is "$status $err" "1 swarm: error: worker 'agent' already exists" "so is a second spawn"
is "$(wc -l <starts)" 1 "there is one agent"
swarm kill agent >said
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
