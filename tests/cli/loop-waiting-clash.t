#!/usr/bin/env bash
# Commits of the user's that conflict with merges which wait: nothing fails, the work is kept and named, it is
# said what to run, and what does not conflict lands.
. "$(dirname "$0")/tickets.sh"

loops() { run "$RALPH" loop "$@" -- "$T/worker" '{ticket}' '{file}'; }

new_project
ticket pt-1
ticket pt-2 deps=pt-1
does pt-1 'echo by pt-1 >>file; close_ticket; commit'
does pt-2 'echo on top of pt-1 >second; close_ticket; commit'
commit_tickets
echo "the user's" >>file
loops
exit_is 14 "merges wait for a dirty file"
git commit -qam "the user's"

remedy='git merge refs/ralph/land/main'
loops
exit_is 14 "when its change is committed and conflicts, they wait still"
is "$(summary Failed)" 0 "no ticket has failed"
unlike "$out" COMPLETE "nothing is promised"
like "$out" '2 merges wait in refs/ralph/land/main \(pt-1, pt-2\): main has commits that conflict.* file' \
	"it names them, and the file"
like "$err" "$remedy" "and what to run"
unlike "$err" 'Commit or stash' "not what would not help"
is "$(git show refs/ralph/land/main:file)" $'one\nby pt-1' "the work is kept"

ticket pt-3
ticket pt-4
ticket pt-5 deps=pt-1
does pt-4 'echo by pt-4 >>file; close_ticket; commit'
does pt-5 'echo by pt-5 >>file; echo on top of pt-1 >fifth; close_ticket; commit'
commit_tickets
loops
exit_is 14 "tickets that come later"
is "$(summary Failed)" 0 "do not fail"
is "$(summary Completed)" "3 (pt-3 pt-4 pt-5)" "they are done"
ok "one that needs nothing of what waits is on the branch" has main out/pt-3
ok "and in the checkout" test -e out/pt-3
is "$(cat file)" $'one\nthe user\'s\nby pt-4' "also one that changes the very file"
like "$out" '3 merges wait in refs/ralph/land/main \(pt-1, pt-2, pt-5\)' "one that stands on what waits waits with it"
is "$(git show refs/ralph/land/main:file)" $'one\nby pt-1\nby pt-5' "and saw it"
is "$(starts)" 5 "nothing is done twice"

# The branch may be checked out nowhere.
git checkout -q --detach
loops --base main
exit_is 14 "where the branch is checked out nowhere"
is "$(git show main:file)" $'one\nthe user\'s\nby pt-4' "it keeps the user's commits"
ticket pt-6
git add .tickets && git commit -qm pt-6 && git branch -f main HEAD
loops --base main
exit_is 14 "a ticket there"
ok "lands on it" has main out/pt-6
git checkout -q main

git merge -q --no-edit refs/ralph/land/main >"$T/merge.log" 2>&1
printf 'one\nby all\n' >file
git checkout -q --theirs .tickets
git add file .tickets && git commit -qm "merged by hand"
loops
exit_is 0 "when its user has run that, the next run is complete"
like "$out" COMPLETE "and says so"
is "$(cat file second)" $'one\nby all\non top of pt-1' "all of it is there"
is "$(starts)" 6 "nothing was done again"
ok "nothing is left in the repository" test -z "$(git for-each-ref refs/ralph/land refs/heads/ralph)"

# While agents work: one stands on what waits, one does not.
ticket pt-7
does pt-7 'echo by pt-7 >>file; close_ticket; commit'
commit_tickets
echo dirty >>file
loops
exit_is 14 "a merge waits"
ticket pt-8
does pt-8 "echo by pt-8 >>other; git -C '$project' commit -qam 'in between'; close_ticket; commit"
commit_tickets
loops
exit_is 14 "a commit that conflicts, made while an agent works"
is "$(summary Failed)" 0 "fails nothing"
is "$(summary Completed)" "1 (pt-8)" "its ticket is done"
ok "its work is on the branch" has main other
like "$out" '1 merge waits in refs/ralph/land/main \(pt-7\): main has commits that conflict' "what waited waits"
is "$(starts pt-8)" 1 "nothing is done twice"

# Of merges that wait together, one can be made anew.
new=$T/work/anew
project=$new
new_project
mkdir out && echo "somebody's" >out/b && git add out && git commit -qm b
ticket a
ticket b
does a 'echo by a >>file; close_ticket; commit'
does b 'echo by b >>out/b; close_ticket; commit'
commit_tickets
echo "the user's" | tee -a file >>out/b
loops
exit_is 14 "two wait"
like "$out" '2 merges wait in refs/ralph/land/main \((a, b|b, a)\)' "both"
git checkout -q out/b && git commit -qam "the user's"
loops
exit_is 14 "a commit conflicts with one of them"
like "$out" '1 merge waits in refs/ralph/land/main \(a\)' "which waits"
is "$(cat out/b)" $'somebody\'s\nby b' "the other one is made anew on the branch"
done_testing
