#!/usr/bin/env bash
# Merges that wait do not vanish with the reference that they wait in: whoever removed it or moved it, it is put
# back; where git has not got them any more, that is said and nothing is complete.
. "$(dirname "$0")/tickets.sh"

line=refs/ralph/land/main
loops() { run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'; }

new_project
ticket pt-1
does pt-1 'echo by pt-1 >>file; close_ticket; commit'
commit_tickets
echo "the user's" >>file
loops
exit_is 14 "a merge waits"
waits=$(git rev-parse "$line")

git update-ref -d "$line"
loops
exit_is 14 "when its reference is removed, the next run is not complete"
unlike "$out" COMPLETE "and promises nothing"
like "$err" "removed $line; it is put back" "it says what it found"
is "$(git rev-parse "$line")" "$waits" "the reference is there again"
like "$out" '1 merge waits in refs/ralph/land/main \(pt-1\)' "and the ticket is named"
is "$(starts)" 1 "nothing is done again"

git update-ref "$line" main
loops
exit_is 14 "when it is moved to the branch, too"
is "$(git rev-parse "$line")" "$waits" "it is put back"

other=$(git commit-tree -p main -m "somebody's" 'main^{tree}')
git update-ref "$line" "$other"
run "$RALPH" loop status
like "$out" "Not on its branch yet: .*pt-1" "the status tells of what should be there"
loops
exit_is 14 "when it is moved to other commits, too"
is "$(git rev-parse "$line")" "$waits" "it is put back"
is "$(git for-each-ref --format='%(objectname)' refs/ralph/stray)" "$other" "and the other commits are kept"

# An agent does it while its loop runs.
ticket pt-2
does pt-2 "git update-ref -d $line; work; close_ticket; commit"
commit_tickets
loops
exit_is 14 "when an agent removes it, that run is not complete"
like "$out" '1 merge waits in refs/ralph/land/main \(pt-1\)' "it names what waits"
ok "the agent's own work is on the branch" has main out/pt-2

# What is on the branch need not wait.
git checkout -q file
git merge -q --no-edit "$line"
git update-ref -d "$line"
loops
exit_is 0 "a reference that its user removed after he had merged it is not missed"
not_ok "nor put back" git rev-parse -q --verify "$line"
is "$(cat file)" $'one\nby pt-1' "the work is there"

# A person may not want it.
ticket pt-3
does pt-3 'echo by pt-3 >>file; close_ticket; commit'
commit_tickets
echo "the user's" >>file
loops
exit_is 14 "another merge waits"
git commit -qam "the user's"
git merge -q -s ours --no-edit "$line"
sed -i 's/^status: .*/status: closed/' .tickets/pt-3.md
commit_tickets
loops
exit_is 0 "merges that the branch has with git merge -s ours do not wait"

# Where git does not know the tickets, they are closed already.
project=$T/work/untracked
new_project untracked
ticket pt-1
does pt-1 'echo by pt-1 >>file; git commit -qam work; promise'
echo "the user's" >>file
loops
exit_is 14 "a merge waits"
is "$(status_of pt-1)" closed "its ticket is closed"
git update-ref -d "$line"
loops
exit_is 14 "when its reference is removed, nothing is complete"
unlike "$out" COMPLETE "and nothing promised"
git checkout -q file
loops
exit_is 0 "until it is on the branch"
is "$(cat file)" $'one\nby pt-1' "where it lands"

# Where even git has lost it.
ticket pt-4
does pt-4 'echo by pt-4 >>file; close_ticket; commit'
commit_tickets
echo "the user's again" >>file
loops
exit_is 14 "one more waits"
git update-ref -d "$line"
git reflog expire --expire=now --all
git gc -q --prune=now
git checkout -q file
sed -i 's/^status: .*/status: closed/' .tickets/pt-4.md
commit_tickets
loops
exit_is 14 "a merge that is gone with its objects is not complete"
like "$err" 'pt-4.*not in the repository any more' "it is said whose it was"
unlike "$out" COMPLETE "nothing is promised"
done_testing
