#!/usr/bin/env bash
# A merge that the checkout cannot take, since a dirty file is in its way, and that cannot wait either, since
# what waits conflicts with the branch: the ticket fails, and it is said where its work is and what to do.
. "$(dirname "$0")/tickets.sh"

loops() { run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'; }

new_project
echo a >other && git add other && git commit -qm other
ticket pt-1
does pt-1 'echo by pt-1 >file; close_ticket; commit'
commit_tickets
echo "the user's" >file
loops
exit_is 14 "the first merge waits for a dirty file"
git commit -qam "the user's file"
ticket pt-2
does pt-2 'echo by pt-2 >other; close_ticket; commit'
commit_tickets
echo "the user's, too" >other
loops
exit_is 11 "a ticket that can neither land nor wait has failed"
is "$(summary Failed)" "1 (pt-2)" "it is named"
words='main cannot take it now: Your local changes .*: other\. Commit or stash that and run the loop again; the work is on ralph/pt-2\.'
clash='What waits in refs/ralph/land/main conflicts with main, so it cannot wait there\.'
like "$err" "$words \($clash\)" "what is in its way, where its work is and what to do is said"
like "$out" 'main has commits that conflict with that in file; merge it yourself: git merge refs/ralph/land/main' "so is how the others land"
ok "progress.md says so, too" progress_says "cannot land: $words"
is "$(git show ralph/pt-2:other)" "by pt-2" "there it is"
is "$(cat other)" "the user's, too" "the user's change is as it was"

git stash -q
loops
exit_is 14 "when it is done as said, only what conflicts waits"
is "$(git show main:other)" "by pt-2" "and the ticket is on the branch"
done_testing
