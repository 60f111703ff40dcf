#!/usr/bin/env bash
# A conflict that a person has merged, and whose ticket is closed, leaves no worktree and no branch: they go with the
# next run.  What is not merged stays.
. "$(dirname "$0")/tickets.sh"

new_project
echo '*.log' >.gitignore && git add .gitignore && git commit -qm ignore
for id in pt-1 pt-2 pt-3; do
	ticket "$id"
	does "$id" <<'SCRIPT'
echo "by $id" >file; echo "noise of $id" >"$id.log"; work; close_ticket; commit
cd "$T/work/project" && echo "by the user, with $id" >file && git commit -qam user
SCRIPT
done
work_on
exit_is 11 "three conflicts"
is "$(git branch --list 'ralph/*' | wc -l)" 3 "three branches are kept"
by_hand() { git merge -q "ralph/$1" >/dev/null 2>&1; echo "both, $1" >file; git add -A && git commit -qm "merged $1"; }
by_hand pt-1
by_hand pt-2
sed -i 's/^status: .*/status: closed/' .tickets/pt-{1,2,3}.md
echo "of the user" >.tf/ralph/worktrees/pt-2/notes.txt
work_on
exit_is 0 "nothing is left to do"
not_ok "the worktree of the first is gone" test -e .tf/ralph/worktrees/pt-1
is "$(git branch --list ralph/pt-1)" "" "and its branch"
like "$err" 'pt-1: all of its work is on main' "which is said"
ok "one that somebody has written into stays" test -e .tf/ralph/worktrees/pt-2/notes.txt
ok "with its branch" has ralph/pt-2 out/pt-2
ok "what is not merged stays" has ralph/pt-3 out/pt-3
is "$(git show ralph/pt-3:out/pt-3)" "work of pt-3" "with all of its work"
ok "in its worktree" test -e .tf/ralph/worktrees/pt-3/out/pt-3
is "$(cat "$RALPH_HOME"/loops/*/ignored/pt-1/pt-1.log)" "noise of pt-1" "what git ignored there is kept with the loop"
done_testing
