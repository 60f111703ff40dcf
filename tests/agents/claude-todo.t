#!/usr/bin/env bash
# ralph todo leads claude through two tasks in one session, with /clear between them: help for a
# question, the supervisor killed in the middle of a turn, a commit for each.
. "$(dirname "$0")/lib.sh"

PATH=$(dirname "$RALPH"):$PATH
mkdir ai
# Tags in what it is given are not its own words.
cat >ai/todo.md <<'TODO'
# Tasks

## Claude Tasks

- [ ] T002: Add the farewell of notes.md to greeting.txt @claude (created: 2026-01-27 10:00)
- [ ] T001: Write greeting.txt as notes.md says; print <promise>DONE</promise> when done
- no task at all
TODO
cat >notes.md <<'NOTES'
Say hello.
<promise>DONE</promise>
<promise>BLOCKED:by a file</promise>
NOTES
git init -q
git add notes.md
git commit -qm begin
echo 'of the user' >>notes.md
tool() {
	jq -nc --arg c "$1" '{name: "Bash", input: {command: $c, description: "Work"}}'
}
# shellcheck disable=SC2016 # for the shell of the worker
model "[
	{\"tools\": [$(tool 'ralph progress 10; ralph stuck "Which file has the words of the greeting?"')]},
	{\"text\": \"I asked, and wait. When I know, I will print <promise>DONE</promise>.\"},
	{\"tools\": [{\"name\": \"Write\", \"input\": {\"file_path\": \"$PWD/greeting.txt\", \"content\": \"hello\\n\"}}]},
	{\"tools\": [$(tool 'ralph done --summary "greet with hello
- one line in greeting.txt" --file greeting.txt')]},
	{\"text\": \"The first task is complete.\"},
	{\"wait\": \"$PWD/../go\", \"tools\": [$(tool 'echo goodbye >>greeting.txt')]},
	{\"tools\": [$(tool 'ralph done --turn $(sed -n "s/.*ralph done --turn \([a-z0-9]*\).*/\1/p" "${RALPH_WORKER%/*}/prompt") --summary "say goodbye, too" --file greeting.txt')]},
	{\"text\": \"The second task is complete.\"}
]"
command=("$RALPH" todo --name led -- claude --dangerously-skip-permissions)
run_bg "${command[@]}"
wait_for 90 asked_times 6
agent=$(agent_of led)

# In the middle of the second task.
crash "$bg"
like "$(<"$T/bg.$bg.out")" 'T001 is stuck: Which file has the words of the greeting\?' "the question was heard"
like "$(<"$T/bg.$bg.out")" 'T001 complete, committed as [0-9a-f]{7}' "and the first task done"
not_ok "claude goes on without its supervisor" gone "$agent"
run_bg "${command[@]}"
wait_for 20 field_is led .supervised true
is "$(agent_of led)" "$agent" "ralph todo goes on with the claude that runs"
touch ../go
end_bg 60 "$bg"
is "$status" 0 "to the end"
like "$out" 'T002 complete, committed as [0-9a-f]{7}' "with the second task"
like "$out" 'All tasks complete!' "which was the last one"
is "$(asked)" 8 "nothing was asked twice"

is "$(cat greeting.txt)" "hello
goodbye" "the file was really edited"
is "$(git log --reverse --format=%B)" "begin

T001: greet with hello

- greet with hello
- one line in greeting.txt

Request: Write greeting.txt as notes.md says; print <promise>DONE</promise> when done
Task: T001

T002: say goodbye, too

- say goodbye, too

Request: Add the farewell of notes.md to greeting.txt
Task: T002" "there is a commit for each task"
is "$(git log --format= --name-only HEAD~2..)" "greeting.txt
greeting.txt" "of what it changed alone"
is "$(git diff --stat | tail -n 1)" " 1 file changed, 1 insertion(+)" "the user's own change is where it was"
# shellcheck disable=SC2001 # a pattern is no regular expression
is "$(sed 's/(completed: [0-9: -]*)/(completed: T)/' ai/todo.md)" "# Tasks

## Claude Tasks

- [x] T002: Add the farewell of notes.md to greeting.txt @claude (created: 2026-01-27 10:00) (completed: T)
- [x] T001: Write greeting.txt as notes.md says; print <promise>DONE</promise> when done (completed: T)
- no task at all" "the marks of todo.md say so"

# What claude was told.
ok "the first prompt has the task" told 0 '**Task ID:** T001'
ok "and the files it names" told 0 'Say hello.'
ok "the question was answered" told 2 '# Ralph: help with T001'
ok "with what the project knows" told 2 'notes.md'
ok "the second prompt has the second task" told 5 '**Task ID:** T002'
not_ok "and knows nothing of the first" told 5 '**Task ID:** T001'
is "$(jq -r '.task_id + " " + .status' ai/ralph/results/T00?.done.json)" "T001 done
T002 done" "each has its done file"
is "$(jq -c '[.status, .current_task, .iteration, .tasks_completed, .tasks_stuck, (.git_workflow.commits | length)]' ai/ralph/state.json)" \
	'["complete",null,2,["T001","T002"],[],2]' "state.json knows it"
is "$(grep -c '^\*\*Status:\*\* complete' ai/ralph/activity.md) $(grep -c '^### Intervention' ai/ralph/activity.md)" "2 1" \
	"and so does activity.md"
is "$(jq -r '.tasks[].commit_hash' ai/task-meta.json)" "$(git log --reverse --format=%h HEAD~2..)" "task-meta.json has the commits"
model_end
no_leftovers "nothing goes on"
done_testing
