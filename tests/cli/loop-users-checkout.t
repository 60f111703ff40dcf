#!/usr/bin/env bash
# The user's checkout: their changes are never touched, their branch never switched, their index is theirs.
. "$(dirname "$0")/tickets.sh"
plan 9

new_project
echo a >staged && echo a >changed && git add . && git commit -qm files
ticket pt-1
ticket pt-2
does pt-1 'work; echo by pt-1 >changed; close_ticket; commit'
commit_tickets
echo "staged by the user" >staged && git add staged
echo "changed by the user" >changed
echo "new by the user" >new
git stash list >"$T/stashes"
before=$(git status --porcelain -- staged changed new)
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 14 "both are done, and one of them waits"
is "$(git status --porcelain -- staged changed new)" "$before" "what was changed is changed, what was staged is staged"
is "$(cat staged changed new)" $'staged by the user\nchanged by the user\nnew by the user' "with the user's text"
is "$(git branch --show-current)" main "the branch is the user's"
is "$(git stash list)" "$(cat "$T/stashes")" "nothing was stashed"
ok "all work is in git" kept "by pt-1"
like "$err" '(wait|not yet|changed)' "what could not be brought in is said"
git checkout -q changed && git commit -qm "the user's" && work_on
is "$(cat changed)" "by pt-1" "it comes when there is nothing in the way"
is "$(cat new)" "new by the user" "the rest is still there"
