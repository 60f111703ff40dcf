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
