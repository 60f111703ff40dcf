#!/usr/bin/env bash
# What ralph todo init --claude makes is found by claude: used by its model, and typed by a person.
. "$(dirname "$0")/lib.sh"

PATH=$(dirname "$RALPH"):$PATH
git init -q
run "$RALPH" todo init --claude
exit_is 0 "the project is prepared"
printf '## Claude Tasks\n- [ ] T001: Write one.txt\n- [ ] T002: Write two.txt\n' >ai/todo.md
git add .
git commit -qm begin
write() {
	jq -nc --arg f "$PWD/$1" '{name: "Write", input: {file_path: $f, content: "text\n"}}'
}
tool() {
	jq -nc --arg c "$1" '{name: "Bash", input: {command: $c, description: "Tell"}}'
}
# shellcheck disable=SC2016 # for the shell of the worker
model "[
	{\"tools\": [$(write one.txt)]},
	{\"tools\": [{\"name\": \"Skill\", \"input\": {\"skill\": \"ralph_done\", \"args\": \"the first one\"}}]},
	{\"tools\": [$(tool 'ralph done --summary "write one.txt" --file one.txt')]},
	{\"text\": \"The first task is complete.\"},
	{\"tools\": [$(write two.txt)]},
	{\"text\": \"Shall I go on?\"},
	{\"tools\": [$(tool 'ralph done --turn $(sed -n "s/.*ralph done --turn \([a-z0-9]*\).*/\1/p" "${RALPH_WORKER%/*}/prompt") --summary "write two.txt" --file two.txt')]},
	{\"text\": \"The second task is complete.\"}
]"
asks() {
	"$RALPH" logs led 2>/dev/null | grep -q 'Shall I go on'
}
run_bg "$RALPH" todo --name led -- claude --dangerously-skip-permissions
wait_for 90 asks
run "$RALPH" send led '/ralph_done the second one'
exit_is 0 "a person types to it"
end_bg 60 "$bg"
is "$status" 0 "all tasks are complete"
for name in 'done' stuck progress; do
	ok "the model is told that there is ralph_$name" told 0 "- ralph_$name: "
done
ok "when it uses one, it gets its text" told 2 'name the command that proves it'
ok "with its own words in it" told 2 'the first one'
ok "and so it is when a person types it" told 6 'name the command that proves it'
ok "with theirs" told 6 'the second one'
is "$(git log --format=%s)" "T002: write two.txt
T001: write one.txt
begin" "either way the task is done"
model_end
no_leftovers "nothing goes on"
done_testing
