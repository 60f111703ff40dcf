# graph.sh - for the tests of `ralph graph`: a repository with a graph.
# shellcheck shell=bash
#
#	repo                makes the repository "repo" and goes there
#	graph TEXT          writes task-graph.yaml
#	tasks ID...         writes a graph of these tasks, none waiting for another
#	ticket ID [LINE...] writes docs/active/tickets/ID.md with these further lines
#	g ARG...            run "$RALPH" graph ARG...
#	claims ID NAME      the next task is ID
#	now ID              prints how it stands
#	graph_agent         makes ./agent, which does what ./do/ID says, or completes its task; `ralph` is in PATH
#	does ID LINE...     what it does with that one
#	starts ID           prints how often it began with it
#	actions             prints those of logs/ralph.jsonl, on one line

repo() {
	mkdir repo && cd repo || exit 1
	git init -q .
}

graph() {
	printf '%s\n' "$1" >task-graph.yaml
}

tasks() {
	{
		echo 'nodes:'
		printf -- '  - id: %s\n    status: ready\n' "$@"
	} >task-graph.yaml
}

ticket() {
	local id=$1
	shift
	mkdir -p docs/active/tickets
	{
		printf -- '---\nid: %s\ntitle: The %s\nstory: S-1\nstatus: pending\npriority: 1\ncomplexity: S\n' "$id" "$id"
		[[ $# -eq 0 ]] || printf '%s\n' "$@"
		printf -- '---\n\n## What\n\nText.\n'
	} >"docs/active/tickets/$id.md"
}

g() {
	run "$RALPH" graph "$@"
}

claims() {
	g prompt
	# shellcheck disable=SC2154 # set by run
	like "$out" "^Your task: $1 - " "$2"
}

now() {
	"$RALPH" graph status --json | jq -r --arg id "$1" '.tasks[] | select(.id == $id) | .status'
}

graph_agent() {
	mkdir -p "do" path
	ln -s "$RALPH" path/ralph
	PATH=$PWD/path:$PATH
	cat >agent <<'X'
#!/bin/sh
cat >"seen.$RALPH_TASK"
echo x >>"starts.$RALPH_TASK"
if [ -e "do/$RALPH_TASK" ]; then . "./do/$RALPH_TASK"; else ralph graph complete "$RALPH_TASK"; fi
X
	chmod +x agent
}

does() {
	local id=$1
	shift
	printf '%s\n' "$@" >"do/$id"
}

starts() {
	wc -l <"starts.$1"
}

actions() {
	jq -r .action logs/ralph.jsonl | xargs
}
