#!/usr/bin/env bash
# Weakness 7: five readers of todo.md disagreed about which tasks are open.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project
cat >ai/todo.md <<'END'
# Tasks
## Backlog
- [ ] T020: Not asked for
## Delayed
- [ ] T021: Waits
## Done
- [x] T022: Is done **DONE** @ada
## Claude Tasks
- [ ] T9: Unpadded, no assignee
- [ ] T010: Tags behind @ada #one #two
- [ ] T142531: A number made of a time (created: 2026-01-27 10:00)
  - [ ] **T011** — bold, a dash, indented
- [ ] T012: **BLOCKED** - waits for T010
```
- [ ] T013: in a code block
```
<!-- - [ ] T014: in a comment -->
## Change History
- [ ] T015: history
END
cp ai/todo.md before
worker <<'END'
case $KIND in task) ralph done ;; esac
END
todo --commit off
exit_is 12 "what can be done is done"
is "$(texts | grep task | xargs)" "task T9 task T010 task T011 task T142531" "by number"
is "$(diff before ai/todo.md | grep -c '^>')" 4 "four lines changed"
is "$(find ai/ralph/results -name '*.json' -printf '%f\n' | sort)" "T010.done.json
T011.done.json
T142531.done.json
T9.done.json" "files by the ids as they are written"
like "$out" 'T012 is blocked' "what is left is said"
for twice in '- [ ] T020: The same number twice' '- [ ] T9: One' '- [ ] T09: One'; do
	printf '%s\n' "$(cat before)" '## Claude Tasks' "$twice" >ai/todo.md
	todo
	exit_is 1 "two lines with one number are refused: $twice"
	like "$err" 'line [0-9]+.*line [0-9]+|lines [0-9]+ and [0-9]+' "with both lines"
done
no_leftovers "nothing goes on"
done_testing
