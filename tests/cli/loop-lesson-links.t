#!/usr/bin/env bash
# A lesson is what the agent wrote, not what it points at: links are not followed, and what is not taken is said.
. "$(dirname "$0")/tickets.sh"

new_project
echo "root:x:0:0" >"$T/secret"
ticket pt-1
ticket pt-2
ticket pt-3
ticket pt-4
does pt-1 <<'SCRIPT'
ln -s "$T/secret" "$RALPH_LESSON_FILE"; work; close_ticket; commit
SCRIPT
does pt-2 <<'SCRIPT'
mkdir -p .tf/knowledge/tickets/pt-2
ln -s "$T/secret" .tf/knowledge/tickets/pt-2/close-summary.md; work; close_ticket; commit
SCRIPT
does pt-3 <<'SCRIPT'
rm -f .tf/ralph/AGENTS.md; mkdir -p .tf/ralph; ln -s "$T/secret" .tf/ralph/AGENTS.md; work; close_ticket
SCRIPT
does pt-4 <<'SCRIPT'
head -c 300000 /dev/zero | tr '\0' x >"$RALPH_LESSON_FILE"; work; close_ticket; commit
SCRIPT
work_on
exit_is 0 "all four are done"
unlike "$(cat .tf/ralph/AGENTS.md)" 'root:x' "no lesson comes from outside"
unlike "$(cat .tf/ralph/progress.md)" 'root:x' "and no summary"
like "$err" 'pt-1: not taken, for it is a link: .*lesson\.md' "a link in the place of a lesson is said"
like "$err" 'pt-2: not taken, for it is a link: .*close-summary\.md' "and one in the place of a summary"
like "$err" 'pt-4: not taken: .*lesson\.md' "and so is a lesson that is too long"
done_testing
