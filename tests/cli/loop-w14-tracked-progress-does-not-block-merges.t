#!/usr/bin/env bash
# W14: a project that tracks progress.md, which the loop writes and the worker appends to, lands all the same.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
echo '.tf/ralph/worktrees' >.gitignore
git add .tf .gitignore && git commit -qm 'track it all'
for id in pt-1 pt-2; do
	ticket "$id"
	does "$id" <<'SCRIPT'
echo "- by the worker" >>.tf/ralph/progress.md; work; close_ticket; commit
SCRIPT
done
work_on --parallel 2
exit_is 0 "both are done"
ok "the first landed" has main out/pt-1
ok "so did the second" has main out/pt-2
unlike "$(git show main:.tf/ralph/progress.md)" 'by the worker' "the workers' changes of progress.md did not"
ok "the project's own is the loop's" progress_says '### pt-1: COMPLETE'
is "$(git status --porcelain --untracked-files=no | grep -v '\.tf/ralph/')" "" "nothing else is dirty"
