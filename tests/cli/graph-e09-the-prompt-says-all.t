#!/usr/bin/env bash
# E9: the prompt skipped a number, did not name the ticket, nor how to complete the task or to fail.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
ticket T-1 'output: docs/out.md'
graph "nodes: []"
g refresh
does T-1 'exit 1'
g run --delay 0 -- ./agent
prompt=$(cat seen.T-1)
like "$prompt" '^Your task: T-1 - The T-1' "the task"
like "$prompt" 'docs/active/tickets/T-1.md' "its ticket"
like "$prompt" 'ralph graph complete T-1' "the command that completes it"
like "$prompt" 'If you cannot finish it: do not mark it complete' "what to do otherwise"
is "$(grep -o '^[0-9]\.' <<<"$prompt" | xargs)" "1. 2. 1. 2. 3." "both lists are numbered without a gap"
unlike "$prompt" '[Ee]dit task-graph.yaml' "and nothing about editing the graph"
done_testing
