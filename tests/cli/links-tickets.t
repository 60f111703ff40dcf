#!/usr/bin/env bash
# Links of a project that were there when the loop began are the user's and are followed; one that an agent makes later
# and that leads out of the project is refused, named, and nothing is written through it, by the agent's own commands
# neither.
. "$(dirname "$0")/tickets.sh"

# The user's own.
new_project untracked
mv .tickets "$T/tickets" && ln -s "$T/tickets" .tickets
mv .tf/ralph "$T/ralph" && ln -s "$T/ralph" .tf/ralph
ticket pt-1
does pt-1 'work; promise'
work_on --no-worktree
exit_is 0 "links that were there before the loop"
like "$(cat "$T/tickets/pt-1.md")" 'status: closed' "are followed to the tickets"
like "$(cat "$T/ralph/progress.md")" 'pt-1: COMPLETE' "and to the project's files"

# An agent's.
rm -rf "$project"
new_project untracked
ticket pt-2
ticket pt-3
mkdir "$T/elsewhere" "$T/theirs"
: >"$T/log"
does pt-2 <<'SCRIPT'
if [[ -e $T/kept-ralph || -e $T/put-back ]]; then promise; exit; fi
cd "$T/work/project"
# The loop makes a directory again that is missing: a link takes its place only when the agent is quicker.
link() { mv "$1" "$3"; until ln -sT "$2" "$1"; do rm -rf "$1"; done; }
link .tf/ralph "$T/elsewhere" "$T/kept-ralph"
cp .tickets/*.md "$T/theirs"; link .tickets "$T/theirs" "$T/kept-tickets"
for words in 'close pt-2' 'add-note pt-2 x' 'create new' 'start pt-2' ready 'show pt-2'; do
	"$RALPH" tk $words >>"$T/said" 2>&1; echo "$words: $?" >>"$T/said"
done
note linked; after go; promise
SCRIPT
work_on_bg --no-worktree --name work
wait_for 30 said "$T/log" '^linked'
echo go >>"$T/log"
ok "a new link is refused in the place of .tf/ralph" \
	wait_for 30 said "$T/bg.$bg.err" "/project/\\.tf/ralph leads out of the project, to $T/elsewhere, by a link"
ok "and in that of .tickets" \
	wait_for 30 said "$T/bg.$bg.err" "/project/\\.tickets leads out of the project, to $T/theirs, by a link"
is "$(ls -A "$T/elsewhere")" "" "nothing is written there"
is "$(grep -c "/project/\\.tickets leads out of the project, to $T/theirs, by a link" "$T/said")" 6 \
	"the agent's own commands refuse it, too"
is "$(grep -c ': 1$' "$T/said")" 6 "and fail"
is "$(cd "$T/theirs" && ls)" $'pt-2.md\npt-3.md' "nothing is made there"
run "$RALPH" tk show pt-2
exit_is 0 "a person's follow it"
is "$(sed -n 's/^status: //p' "$T/theirs/pt-2.md")" open "nor is a ticket closed there"
rm .tf/ralph .tickets
touch "$T/put-back"
mv "$T/kept-ralph" .tf/ralph && mv "$T/kept-tickets" .tickets
end_bg 90 "$bg"
like "$status" '^(11|13)$' "the loop ends as for any tickets that cannot be read"
work_on --no-worktree --name work
is "$(status_of pt-3)" closed "put back, it goes on and does the next"
like "$(cat .tf/ralph/progress.md)" 'pt-3: COMPLETE' "and the files tell of it"
work_on --no-worktree --name work
exit_is 0 "another run has nothing more to refuse"
is "$(status_of pt-2)" closed "all is done"
done_testing
