#!/usr/bin/env bash
# `ralph graph run` works through the graph: what came of an iteration is read in the graph, an
# agent's failure never ends the loop, and how the loop ended is said in words and in the log.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent

tasks T-{1..4}
echo 'exit 7' >do/T-2
echo ':' >do/T-3
g run --delay 0 -- ./agent
exit_is 11 "what is left is blocked by what failed"
like "$out" 'iteration 1: T-1 completed \(exit: 0, duration: ' "a line for each iteration: number, task, outcome"
like "$out" 'error: iteration 2: T-2 failed \(exit: 7, duration: .*it stays in progress' "a failure stands out, and does not end the loop"
like "$out" 'error: iteration 3: T-3 unfinished \(exit: 0' "exit code 0 alone is no completion"
like "$out" 'iteration 4: T-4 completed' "the next ready task is taken"
like "$out" 'blocked: 2 failed \(T-2, T-3\)' "it says that it is blocked, and by what"
like "$out" '4 iterations: 2 completed, 2 failed \(1 of them unfinished\); runtime ' "and sums up"
unlike "$out" 'all tasks complete' "never that all is complete"
like "$(cat seen.T-1)" 'ralph graph complete T-1' "the prompt came on stdin"
is "$(now T-2) $(now T-3) $(now T-4)" "in-progress in-progress complete" "the graph says the same"
g status
like "$out" 'T-2  failed with exit code 7, after .*ralph graph reset T-2' "with the reason, for whoever looks"
is "$(jq -r .action logs/ralph.jsonl | xargs)" \
	"loop_started started completed started failed started unfinished started completed blocked" "the log has it all"
is "$(jq -r 'select(.action == "failed") | "\(.iteration) \(.task_id) \(.exit_code) \(.duration_seconds)"' logs/ralph.jsonl)" \
	"2 T-2 7 0" "a failure with its task, exit code and duration"
ok "every line has the seed's fields" jq -es 'all(has("timestamp") and has("iteration") and has("task_id") and
	has("action") and has("duration_seconds") and has("exit_code") and has("outcome"))' logs/ralph.jsonl
like "$(cat logs/ralph.heartbeat)" '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' "the heartbeat is a timestamp, and nothing else"

rm do/*
g reset T-2
g reset T-3
g run --delay 0 -- ./agent
exit_is 0 "and when they are looked after"
like "$out" 'repo-graph: all tasks complete' "all are complete, in these words"
is "$(tail -1 logs/ralph.jsonl | jq -r '.action + " " + .outcome')" \
	"finished all tasks complete (2 iterations: 2 completed, 0 failed)" "and in the log"
run "$RALPH" ls
like "$out" 'repo-graph' "the loop is in the list"

# done is done, however the agent ends
tasks T-8 T-9
printf 'ralph graph complete T-8\nexit 1\n' >do/T-8
g run --delay 0 -- ./agent
like "$out" 'T-8 completed \(exit: 1' "a task that is complete counts, whatever the exit code"
like "$out" ': all tasks complete' "to the end"

# the usual agent
mkdir bin
printf '#!/bin/sh\necho "$@" >args\ncat >prompt.seen\nexec ralph graph complete T-21\n' >bin/claude
chmod +x bin/claude
tasks T-21
PATH=$PWD/bin:$PATH g run
exit_is 0 "without a command"
is "$(cat args)" --dangerously-skip-permissions "it is claude"
like "$(cat prompt.seen)" '^Your task: T-21' "with the prompt on stdin"

# two seconds between iterations
tasks T-22 T-23
rm -f do/*
g run -- ./agent
first=$(jq -rs '[.[] | select(.action == "completed")] | .[-2].timestamp | sub("\\..*"; "Z") | fromdate' logs/ralph.jsonl)
second=$(jq -rs '[.[] | select(.action == "started")] | .[-1].timestamp | sub("\\..*"; "Z") | fromdate' logs/ralph.jsonl)
ok "with two seconds between them" test $((second - first)) -ge 1

# an agent that is not there says nothing about the task
tasks T-24
g run --delay 0 --max-failures 1 -- ./nobody
exit_is 1 "a command that is not there"
printf '#!/nowhere/sh\n' >bad
chmod +x bad
g run --delay 0 --max-failures 1 -- ./bad
exit_is 1 "one that cannot be started"
is "$(now T-24)" ready "and the task is ready again"

cd "$T/work" || exit 1
g run -- "$AGENT"
exit_is 13 "no graph"
like "$err" "there is no task-graph.yaml here" "and it says so"
no_leftovers "nothing goes on"
done_testing
