#!/usr/bin/env bash
# A loop over a graph that is killed is gone on with: its agent keeps the task meanwhile, whoever
# else asks.  The heartbeat goes on while the agent shows life; monitors see when it does not.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-1 T-2
does T-1 'echo began' 'touch began; while [ ! -e go ]; do sleep 0.1; done' 'ralph graph complete T-1'
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 test -e began
wait_for 20 field_is repo-graph '.sessions[0].pid != null' true
agent=$(agent_of repo-graph)
is "$(jq -r '.agent.pid' .git/ralph/graph/claims.jsonl)" "$agent" "the claim names the agent"
run "$RALPH" ls
like "$out" 'repo-graph' "the loop is in the list"
run "$RALPH" logs repo-graph
like "$out" 'began' "its agent's output can be read"
g run -- ./agent
exit_is 1 "a second loop in the same place is refused"
crash "$bg"
not_ok "the agent goes on without its supervisor" gone "$agent"
g prompt T-1
exit_is 2 "and keeps its task"
like "$err" 'T-1 is in progress' "which is said"
g run -- ./agent
exit_is 1 "a new loop does not begin beside it"
like "$err" 'ralph resume repo-graph' "but tells how to go on"
touch "logs/.ralph.heartbeat.tmp.$bg.1"
run "$RALPH" resume repo-graph
exit_is 0 "which resume does"
not_ok "what the killed one left half written in the project is gone" test -e "logs/.ralph.heartbeat.tmp.$bg.1"
touch go
run "$RALPH" wait repo-graph
exit_is 0 "to the end"
is "$(starts T-1) $(starts T-2)" "1 1" "no task was begun twice"
is "$(now T-1) $(now T-2)" "complete complete" "and both are complete"
is "$(field repo-graph '[.completed, .failed, .unfinished] | join(" ")')" "2 0 0" "the counts have survived"

# killed together with its agent
tasks T-3 T-4
does T-3 'touch third; sleep 1000'
rm go
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 test -e third
wait_for 20 field_is repo-graph '.sessions[0].pid != null' true
keeper=$(keeper_of repo-graph)
agent=$(agent_of repo-graph)
crash "$bg" "$keeper" "$agent"
g status
like "$out" '\] T-3 .*\(left without a verdict; ready again\)' "a claim that nobody holds any more is shown"
rm do/T-3
run "$RALPH" resume --foreground repo-graph
exit_is 0 "resume goes on"
like "$out" 'all tasks complete' "with all that is left"
is "$(starts T-3)" 2 "what was lost is begun again"

# pausing, and monitors
tasks T-5 T-6
does T-5 'touch fifth; while [ ! -e go ]; do sleep 0.1; done; ralph graph complete T-5'
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 test -e fifth
g status --stale-after 1h
exit_is 0 "a loop that works is alive"
like "$out" '^Loop: alive, last sign of life' "and says since when"
is_stale() { ! "$RALPH" graph status --stale-after 1s >/dev/null 2>&1; }
wait_for 20 is_stale
g status --stale-after 1s
exit_is 1 "one that has been silent for too long is not"
like "$out" 'Last lines of logs/ralph.jsonl:.*"action":"started"' "its last output is shown"
run "$RALPH" pause repo-graph
touch go
wait_for 20 field_is repo-graph '.sessions | length' 0
wait_for 20 said logs/ralph.jsonl '"task_id":"T-5","action":"completed"'
g status --stale-after 1s
exit_is 0 "a pause is no reason for alarm"
like "$out" 'Loop: paused' "and is said"
run "$RALPH" resume repo-graph
end_bg 20 "$bg"
exit_is 0 "then it goes on"
g status --stale-after 1s
like "$out" 'it has ended \(finished\)' "and ends"

# a sign of life: an agent that writes, and a keeper that tells
tasks T-7
rm go
does T-7 'echo one; touch seventh; while [ ! -e go ]; do sleep 0.1; done' 'rm -f logs/ralph.heartbeat; echo two; sleep 1; echo three' \
	'while [ ! -e logs/ralph.heartbeat ] && [ ! -e give-up ]; do echo more; sleep 0.5; done; ralph graph complete T-7'
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 test -e seventh
touch go
end_bg 40 "$bg"
exit_is 0 "an agent that writes for a while"
ok "keeps the heartbeat going" test -e logs/ralph.heartbeat
no_leftovers "nothing goes on"
done_testing
