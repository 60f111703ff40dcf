#!/usr/bin/env bash
# W28: AGENTS.md keeps the newest lessons only, and every one of them whole.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
config lessonsMaxCount 2
for id in pt-1 pt-2 pt-3; do
	ticket "$id"
	does "$id" <<'SCRIPT'
echo "what $id taught" >"$RALPH_LESSON_FILE"; work; close_ticket; commit
SCRIPT
done
work_on
exit_is 0 "three are done"
is "$(grep -c '^## Lesson from' .tf/ralph/AGENTS.md)" 2 "two lessons are kept"
not_ok "the oldest is gone" grep -q 'what pt-1 taught' .tf/ralph/AGENTS.md
ok "the newer one is there" grep -q 'what pt-2 taught' .tf/ralph/AGENTS.md
ok "so is the newest" grep -q 'what pt-3 taught' .tf/ralph/AGENTS.md
