#!/usr/bin/env bash
# Completion knows the commands, their options and the loops there are.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkdir bin
ln -s "$RALPH" bin/ralph
PATH=$PWD/bin:$PATH
"${loop[@]}" first --max-iterations 1 -- "$AGENT" -e 'println x' >first.out
"${loop[@]}" second --max-iterations 1 -- "$AGENT" -e 'println x' >second.out
"$RALPH" completion bash >completion.bash
ok "what bash gets is bash" bash -n completion.bash
# shellcheck disable=SC1091
. ./completion.bash

# offers WORD...: what is offered for the last of them, sorted
offers() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_ralph ralph "${*: -1}" "${*: -2:1}"
	printf '%s\n' "${COMPREPLY[@]}" | sort -u | xargs -d '\n'
}
is "$(offers ralph st)" "status stop stuck" "commands"
is "$(offers ralph run --max-)" "--max-failures --max-iterations --max-runtime" "options of a command"
is "$(offers ralph pause '')" "first second" "loops"
is "$(offers ralph logs -f s)" "second" "also behind an option"
is "$(offers ralph ls --format '')" "json names table" "the choices of an option"
is "$(offers ralph completion '')" "bash fish zsh" "the shells"
is "$(offers ralph help sta)" "status" "the commands that help explains"
is "$(offers ralph tk)" "tk" "a group is one word"
is "$(offers ralph tk re)" "ready reopen" "its commands follow it"
is "$(offers ralph tk ready --a)" "--assignee" "with their options"
is "$(offers ralph loop --para)" "--parallel" "also where the group's word is a command itself"
is "$(offers ralph loop status --)" "--help --json" "and not for its members"
mkdir lists
touch lists/inside
is "$(offers ralph todo li)" "lists" "a file may follow that"
is "$(offers ralph todo in)" "init" "or one of its words"
is "$(offers ralph todo lists/in)" "lists/inside" "a file in a directory"
is "$(offers ralph todo --fresh li)" "lists" "also behind an option"
is "$(offers ralph todo lists/inside --comm)" "--commit" "and options behind the file"
is "$(offers ralph todo --commit '')" "ask auto off" "with their choices"
is "$(offers ralph nudge f)" "first" "loops can be nudged"
mkdir .tickets
printf -- '---\nid: %s\nstatus: open\n---\n' ab-1 >.tickets/ab-1.md
printf -- '---\nid: %s\nstatus: open\n---\n' ab-2 >.tickets/ab-2.md
is "$(offers ralph tk close a)" "ab-1 ab-2" "and the tickets"
printf 'nodes:\n- {id: T-1}\n- {id: T-2, status: complete}\n- {id: T-3}\n' >task-graph.yaml
is "$(offers ralph graph reset T)" "T-1 T-3" "and the tasks of a graph that are not complete"
touch 'a file.md'
offers ralph run --prompt-file a >/dev/null
is "${#COMPREPLY[@]} ${COMPREPLY[0]}" "1 a file.md" "files, also with blanks"
mkdir there
touch thing
is "$(offers ralph run --cwd th)" "there" "directories"
is "$(offers ralph run -- "$PWD/bin/ra")" "$PWD/bin/ralph" "and the agent's command"

"$RALPH" completion zsh >completion.zsh
like "$(head -n 1 completion.zsh)" '^#compdef ralph' "zsh gets its own"
"$RALPH" completion fish >completion.fish
ok "and fish" grep -q '^complete -c ralph' completion.fish
for shell in zsh fish; do
	if type "$shell" >/dev/null 2>&1; then
		ok "which $shell can read" "$shell" -n "completion.$shell"
	fi
done
run "$RALPH" completion tcsh
exit_is 2 "another shell is a usage error"
no_leftovers "nothing goes on"
done_testing
