#!/usr/bin/env bash
# A lesson counts as the agent's also when the agent writes it before the loop has looked away from starting it.
. "$(dirname "$0")/tickets.sh"

new_project
rm -f .tf/ralph/.gitignore
git add -A && git commit -qm project
ticket pt-1
does pt-1 'echo "- Learnt at once" >>.tf/ralph/AGENTS.md; work; close_ticket; commit'
git add .tickets && git commit -qm tickets
# Whatever the loop itself opens there takes it a second.  (Leaks cannot be looked for in a traced process.)
run env ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" strace -qq -o "$T/trace" -P "$project/.tf/ralph/worktrees/pt-1/.tf/ralph/AGENTS.md" \
	-e trace=openat -e inject=openat:delay_enter=1000000 "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "a ticket whose agent is quick"
ok "the loop was slow where the lessons are" grep -q AGENTS.md "$T/trace"
ok "the lesson joined the others" grep -q 'Learnt at once' .tf/ralph/AGENTS.md
done_testing
