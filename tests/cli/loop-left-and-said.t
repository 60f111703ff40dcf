#!/usr/bin/env bash
# Of what an agent left, whatever does not land and is not kept is said: changes below .tf/ralph, links and pipes, directories that
# nobody looked into.
. "$(dirname "$0")/tickets.sh"

new_project
printf '*.log\nbuild/\n' >.gitignore
echo "a person's" >.tf/ralph/notes.md
rm -f .tf/ralph/.gitignore
git add -A && git commit -qm project
ticket pt-1
ticket pt-2
ticket pt-3
ticket pt-4
does pt-1 <<'SCRIPT'
echo by pt-1 >>.tf/ralph/notes.md
echo '{}' >.tf/ralph/plan.json
echo "- Learnt by pt-1" >>.tf/ralph/AGENTS.md
echo by pt-1 >>.tf/ralph/progress.md
work; close_ticket; commit
SCRIPT
does pt-2 <<'SCRIPT'
mkdir build && mkfifo build/pipe
ln -s /etc/passwd link.log
ln -s /etc build/dir
echo words >build/words
deep=build
for _ in $(seq 70); do deep=$deep/d; done
mkdir -p "$deep" && echo deep >"$deep/file"
work; close_ticket; commit
SCRIPT
does pt-3 'ln -s nowhere only.log; work; close_ticket; commit'
git add .tickets && git commit -qm tickets
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "agents that leave such things"
is "$(git show main:.tf/ralph/notes.md)" "a person's" "changes below .tf/ralph do not land"
like "$err" 'kept off main: 2 files \(.tf/ralph/notes.md, .tf/ralph/plan.json\)' "they are named, but for lessons and what is ours"
commit=$(git log --format=%H --grep='^Ralph-Ticket: pt-1' main)
like "$err" "they are in ${commit:0:12}\\^2" "and where they are"
is "$(git show "$commit^2:.tf/ralph/notes.md")" $'a person\'s\nby pt-1' "which is true"
ok "in progress.md, too" progress_says '^- Left: .*kept off main: 2 files'
ok "the lesson joined the others" grep -q 'Learnt by pt-1' .tf/ralph/AGENTS.md
like "$err" 'kept: 1 file \(6 bytes\) in .*/ignored; not kept: 3 links, pipes or sockets and 1 directory that nobody looked into' \
	"links, pipes and what is too deep are counted"
like "$err" 'ignored by git and not kept: 1 link, pipe or socket' "also when there is nothing else"
is "$(grep -c 'kept off main\|not kept' <<<"$err")" 3 "and nothing is said of an agent that left nothing"
done_testing
