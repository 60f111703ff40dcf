#!/usr/bin/env bash
# Every kind of loop takes --env K and --env-file F, and shows no value in its arguments.
. "$(dirname "$0")/../cli/lib.sh"

shown() {
	grep -laE "${1:0:-1}[${1: -1}]" /proc/[0-9]*/cmdline 2>/dev/null | wc -l
}

word=word$$x$RANDOM
mkdir graph list tickets
printf 'nodes:\n  - id: T-1\n    status: ready\n' >graph/task-graph.yaml
mkdir -p list/ai tickets/.tickets
printf '# Tasks\n\n## Claude Tasks\n- [ ] T001: one\n' >list/ai/todo.md
printf -- '---\nid: pt-1\nstatus: open\ndeps: []\n---\n# One\n' >tickets/.tickets/pt-1.md
(cd tickets && "$RALPH" loop init >/dev/null)
for dir in graph list tickets; do
	git -C "$dir" init -q
	printf 'FROM_FILE=%s\n' "$word" >"$dir/vars"
done
export FROM_HERE=$word
see=("$AGENT" -e "env FROM_FILE $T/file; env FROM_HERE $T/here; env TYPED $T/typed; hang")

takes() { # NAME DIRECTORY WORD...
	local name=$1
	cd "$2" || exit 1
	shift 2
	rm -f "$T"/{file,here,typed}
	run "$RALPH" "$@" --name "$name" --detach --env-file vars --env FROM_HERE --env "TYPED=$word" -- "${see[@]}"
	exit_is 0 "ralph $*: a loop is started"
	wait_for 20 test -s "$T/typed"
	is "$(cat "$T"/{file,here,typed} | uniq -c | xargs)" "3 $word" "its agent has all three variables"
	is "$(shown "$word")" 0 "and nobody's arguments have a value"
	run "$RALPH" stop "$name"
	run "$RALPH" "$@" --name "$name" --env NO_SUCH -- "${see[@]}"
	is "$status $err" "2 ralph: error: --env 'NO_SUCH': there is no such variable here (K=V gives one a value)" \
		"a variable that is not set is said"
	cd ..
}
takes g graph graph run
takes l list todo --pipe
takes t tickets loop --no-worktree
no_leftovers "nothing goes on"
done_testing
