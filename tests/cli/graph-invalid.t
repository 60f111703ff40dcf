#!/usr/bin/env bash
# A graph that cannot be read, or is busy, is an error of its own: never "complete", never
# "blocked" (E3, E4, E12); and everything wrong is told with file and line.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo

refused() {
	local command
	for command in prompt 'prompt --preview' 'prompt a' 'complete a' 'reset a' status refresh validate; do
		# shellcheck disable=SC2086 # several words
		g $command
		exit_is 13 "$1: $command"
		unlike "$out$err" 'all tasks complete|blocked:' "$1: $command does not say that there is nothing to do"
		like "$err" "$2" "$1: $command says where"
	done
}

graph $'nodes:\n  - id: a\n    title: [half'
cp task-graph.yaml before
refused "malformed" 'task-graph.yaml:[0-9]+: '
: >task-graph.yaml
refused "empty" 'task-graph.yaml:1: this is no task graph'
graph $'nodes:\n- id: a\n- id: b\n- id: a\nedges:\n- {from: a, to: b}\n- {from: b, to: a}\n- {from: x, to: a}'
refused "wrong" 'task-graph.yaml:4: the id .a. is there twice'
g validate
is "$err" "ralph: error: task-graph.yaml:4: the id 'a' is there twice: also in line 2
ralph: error: task-graph.yaml:8: no node has the id 'x'
ralph: error: task-graph.yaml:2: a cycle: a -> b -> a" "validate tells all of it"
cp before task-graph.yaml
g prompt
is "$(cat task-graph.yaml)" "$(cat before)" "nothing is written"

tasks a
g prompt --preview
exit_is 0 "once it is right, it goes on"
mkdir -p .git/ralph/graph
# Somebody holds the lock and does not let go.
exec 8>.git/ralph/graph/lock
flock 8
run timeout 60 "$RALPH" graph prompt
exit_is 13 "busy"
like "$err" '^ralph: error: cannot lock the graph: lock is already held' "is said"
exec 8>&-
claims a "and over when the lock is free"

echo 'garbage' >>.git/ralph/graph/claims.jsonl
g prompt
exit_is 13 "claims that cannot be read"
like "$err" 'claims.jsonl:2: this is no claim' "are no reason to give anything out"
rm .git/ralph/graph/claims.jsonl
g prompt
exit_is 1 "and what the graph itself says still counts"
like "$err" '^blocked: 1 in progress \(a\)' "without them"
done_testing
