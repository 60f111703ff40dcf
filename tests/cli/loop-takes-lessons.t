#!/usr/bin/env bash
# Lessons come from $RALPH_LESSON_FILE or from the agent's close-summary.md, once each.
. "$(dirname "$0")/tickets.sh"
plan 7

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 <<'SCRIPT'
printf 'Never trust the cache.\n' >"$RALPH_LESSON_FILE"; work; close_ticket; commit
SCRIPT
does pt-2 <<'SCRIPT'
mkdir -p .tf/knowledge/tickets/pt-2
printf '# Close\n\nSummary: made it better\n\n## Lessons Learned\n\nAsk the clock twice.\n\n## Other\n\nnot this\n' >.tf/knowledge/tickets/pt-2/close-summary.md
work; close_ticket; commit
SCRIPT
work_on
exit_is 0 "three are done"
lessons=$(cat .tf/ralph/AGENTS.md)
like "$lessons" '## Lesson from pt-1 \(' "a lesson of the first"
like "$lessons" 'Never trust the cache\.' "with its text"
like "$lessons" "## Lesson from pt-2 \\([^#]*Ask the clock twice\\." "and one of the second"
unlike "$lessons" 'not this' "not the rest of the summary"
unlike "$lessons" 'Lesson from pt-3' "none where there is none"
ok "progress.md has the summary" progress_says 'Summary: made it better'
