#!/usr/bin/env bash
# Scenario: Ralph status check; Ralph Loop Status.
. "$(dirname "$0")/../cli/seed.sh"

cat >claude.txt <<'SCRIPT'
count starts
when-iteration 1 exit 1
when-iteration 3 exit 1
when-iteration 7 hang
SCRIPT
run swarm spawn --name agent --detach --ralph --prompt-file ./PROMPT.md --max-iterations 10 --done-pattern 'All tasks complete' -- claude
wait_for 30 agents 7
run swarm ralph status agent
exit_is 0 "it succeeds"
time='[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
like "$out" "^Ralph Loop: agent
Status: running
Iteration: 7/10
Started: $time
Current iteration started: $time
Consecutive failures: 0
Total failures: 2
Inactivity timeout: 60s
Done pattern: All tasks complete\$" "it shows the documented lines"
swarm kill agent >killed
no_leftovers "nothing goes on"
done_testing
