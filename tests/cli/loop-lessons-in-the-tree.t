#!/usr/bin/env bash
# The header of AGENTS.md invites agents to add to it: what one writes there in its worktree is a lesson of the project.
. "$(dirname "$0")/tickets.sh"
plan 7

new_project
printf '## Lesson from old (2026-01-01)\n**Lesson**: Known before.\n---\n' >>.tf/ralph/AGENTS.md
git add -f .tf && git commit -qm lessons
ticket pt-1
ticket pt-2
ticket pt-3
does pt-1 <<'SCRIPT'
printf '## Lesson from pt-1\n**Context**: Building\n**Lesson**: Use the second compiler.\n**Apply when**: it is hot\n---\n' >>.tf/ralph/AGENTS.md
work; close_ticket
SCRIPT
does pt-2 <<'SCRIPT'
printf '## Lesson from pt-2\n**Lesson**: First of two.\n---\n## Lesson from pt-2\n**Lesson**: Second of two.\n---\n' >>.tf/ralph/AGENTS.md
sed -i 's/^## Gotchas/&\n- Never on a Monday./' .tf/ralph/AGENTS.md
work; close_ticket; commit
SCRIPT
does pt-3 'echo "- Learnt by failing." >>.tf/ralph/AGENTS.md; exit 1'
work_on
exit_is 11 "two are done, one failed"
lessons=$(cat .tf/ralph/AGENTS.md)
like "$lessons" '## Lesson from pt-1.*Building.*Use the second compiler\..*it is hot' "a lesson in the form of the others"
like "$lessons" 'First of two\..*Second of two\.' "two at once"
like "$lessons" 'Never on a Monday\.' "a line somewhere in the file"
like "$lessons" 'Learnt by failing\.' "one of an agent that failed"
is "$(grep -c 'Known before\.' .tf/ralph/AGENTS.md)" 1 "what was known is there once"
unlike "$(git show main:.tf/ralph/AGENTS.md)" 'of two|Monday' "the file itself does not land"
