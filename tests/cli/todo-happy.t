#!/usr/bin/env bash
# A worker is led through a list: its context is cleared between the tasks, each is given in the
# seed's words, checked, committed by itself and marked; the files are the seed's.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T002: Say "bye" @ada [worklog: pending] (created: 2026-01-27 10:00)' \
	'- [ ] T001: Say hello in `hello.txt`'
worker <<'END'
case $TASK.$KIND in
T001.task)
	echo hello >hello.txt
	ralph progress 40
	ralph done --summary 'add a greeting
- hello.txt: says hello
- it is short' --file hello.txt
	;;
T002.task) echo bye >>README.md && done_by_tag ;;
esac
END

todo
exit_is 0 "all of it"
like "$out" $'\nAll tasks complete!$' "the last words are the seed's"
is "$(texts)" "task T001
clear T001
task T002" "tasks by their number, the context cleared between them"
is "$(cut -d ' ' -f 3 "$led/log" | sort -u | wc -l)" 1 "by one worker"
token=$(token T001)
like "$token" '^[a-z0-9]{8}$' "the turn has a token"
unlike "$(cat "$led/T002.1.task")" "$token" "the next one another"
like "$(cat "$led/T001.1.task")" "1\\. Run \`ralph done --turn $token\` in a shell" "the prompt has it"

is "$(git log --reverse --format=%B | tail -n +3)" 'T001: add a greeting

- add a greeting
- hello.txt: says hello
- it is short

Request: Say hello in `hello.txt`
Task: T001

T002: did T002

- did T002

Request: Say "bye"
Task: T002' "the commits' words are the seed's"
is "$(git show --name-only --format= HEAD~1) $(git show --name-only --format= HEAD)" "hello.txt README.md" \
	"each has its own files"
is "$(git status --porcelain)" "" "nothing is left over"

now='[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}'
is "$(sed -E "s/completed: $now/completed: NOW/" ai/todo.md)" '# Tasks

## Claude Tasks
- [x] T002: Say "bye" @ada [worklog: pending] (created: 2026-01-27 10:00) (completed: NOW)
- [x] T001: Say hello in `hello.txt` (completed: NOW)' "the list has its marks, and nothing else changed"

first=$(git rev-parse --short HEAD~1) second=$(git rev-parse --short HEAD)
iso='[0-9-]{10}T[0-9:]{8}'
like "$(sed -E -e "s/$iso/ISO/" -e 's/^(\*\*Duration:\*\*).*/\1 T/' ai/ralph/activity.md)" "^# Session: [0-9a-f]+

\*\*Started:\*\* ISO
\*\*Worker PTY:\*\* [a-z0-9.-]+
\*\*Tasks Queued:\*\* 2

---

\*\*Progress:\*\* T001: 40 % — ISO

## Iteration 1 — ISO

\*\*Task:\*\* T001: Say hello in \`hello.txt\`
\*\*Status:\*\* complete
\*\*Commit:\*\* $first
\*\*Duration:\*\* T
\*\*Notes:\*\* none

     hello.txt \| 1 \+
     1 file changed, 1 insertion\(\+\)

---

## Iteration 2 — ISO

\*\*Task:\*\* T002: Say \"bye\"
\*\*Status:\*\* complete
\*\*Commit:\*\* $second
\*\*Duration:\*\* T
\*\*Notes:\*\* none

     README.md \| 1 \+
     1 file changed, 1 insertion\(\+\)

---\$" "activity.md is the seed's"

is "$(jq -c 'keys' ai/ralph/state.json)" \
	'["capabilities","current_task","git_workflow","interventions","iteration","last_activity","session_id","started_at","status","tasks_completed","tasks_stuck","worker_pty"]' \
	"state.json has all keys"
is "$(jq -c '[.current_task, .iteration, .tasks_completed, .tasks_stuck, .status, .capabilities]' ai/ralph/state.json)" \
	'[null,2,["T001","T002"],[],"complete",{"desktop_automation":false,"pty_control":true}]' "and says how it went"
is "$(jq -c '.git_workflow | [.commit_format, .committer, .auto_commit, (.commits | map([.task_id, .commit_hash]))]' ai/ralph/state.json)" \
	"[\"T###: summary\",\"ralph\",true,[[\"T001\",\"$first\"],[\"T002\",\"$second\"]]]" "with the commits"
is "$(jq -c '[.version, (.tasks | map_values([.commit_hash, (.committed_at != null), .diffstat]))]' ai/task-meta.json)" \
	"[1,{\"T001\":[\"$first\",true,\" hello.txt | 1 +\n 1 file changed, 1 insertion(+)\"],\"T002\":[\"$second\",true,\" README.md | 1 +\n 1 file changed, 1 insertion(+)\"]}]" \
	"so does the sidecar"
is "$(jq -c '[.task_id, .status, .summary, .files_modified]' ai/ralph/results/T001.done.json)" \
	'["T001","done","add a greeting\n- hello.txt: says hello\n- it is short",["hello.txt"]]' "the command writes the done file"
like "$out" 'T001: 40 %' "progress is told"
like "$out" "T001 complete, committed as $first" "and what was committed"
is "$err" "" "nobody complains"

todo
exit_is 0 "once more"
is "$out" "All tasks complete!" "there is nothing to do"
is "$(texts | grep -c '^task')" 2 "no worker was given what is ticked"
list '- [x] T001: Say hello' '- [ ] T003: Say more' '- [X] T004: Say nothing'
worker <<'END'
echo more >>hello.txt && done_by_tag
END
todo
is "$(texts | grep '^task' | tail -n +3)" "task T003" "nor is it where others are open"
no_leftovers "nothing goes on"
done_testing
