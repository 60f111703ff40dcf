#!/usr/bin/env bash
# ralph todo --fresh leads claude -p: a process for every task, done by its word and its file.
. "$(dirname "$0")/lib.sh"

PATH=$(dirname "$RALPH"):$PATH
mkdir ai
printf '## Claude Tasks\n- [ ] T001: Write one.txt\n- [ ] T002: Write two.txt\n- [ ] T003: Ask the staging server\n' >ai/todo.md
git init -q
git commit -q --allow-empty -m begin
tool() {
	jq -nc --arg c "$1" '{name: "Bash", input: {command: $c, description: "Work"}}'
}
model "[
	{\"tools\": [$(tool 'echo 1 >one.txt; ralph done --summary "write one.txt" --file one.txt')]},
	{\"text\": \"The first task is complete.\"},
	{\"tools\": [$(tool 'echo 2 >two.txt; ralph done --summary "write two.txt" --file two.txt')]},
	{\"text\": \"The second task is complete.\"},
	{\"text\": \"I cannot.\\n\\n<promise>BLOCKED:the staging server is down</promise>\"}
]"
run "$RALPH" todo --name fresh --fresh --verify 'test -e one.txt' -- claude -p --dangerously-skip-permissions
exit_is 11 "not all tasks could be done"
unlike "$out" 'All tasks complete!' "which is not said to be so"
like "$out" 'T003 is blocked \(the staging server is down\)' "but what is left, and why"
like "$err" 'ALERT: T003 is blocked: the staging server is down' "with an alert"
is "$(asked)" 5 "the model was asked for each step once"
is "$(git log --format=%s)" "T002: write two.txt
T001: write one.txt
begin" "the others have their commits"
# shellcheck disable=SC2001 # a pattern is no regular expression
is "$(sed 's/ (completed: [0-9: -]*)//' ai/todo.md)" "## Claude Tasks
- [x] T001: Write one.txt
- [x] T002: Write two.txt
- [~] T003: Ask the staging server **BLOCKED** - the staging server is down" "todo.md says how it stands"
not_ok "each task had a claude of its own" told 2 'T001'
is "$(find "$RALPH_HOME/loops/fresh/sessions" -name exit.json | wc -l)" 3 "three of them"
model_end
no_leftovers "nothing goes on"
done_testing
