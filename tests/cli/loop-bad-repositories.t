#!/usr/bin/env bash
# Where work cannot land it is said what to do, before anything is started.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
commit_tickets
git checkout -q --detach
work_on
exit_is 1 "a detached HEAD"
like "$err" '(--base|--no-worktree|checkout|switch)' "says what to do"
work_on --base main
exit_is 0 "--base is one way"
ok "the work is on that branch" has main out/pt-1
ticket pt-2
git add .tickets
does pt-2 'work; close_ticket'
run "$RALPH" loop --no-worktree -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "--no-worktree is another"

rm -rf "$project"
mkdir -p "$project/.tickets" && cd "$project" || exit 1
git init -q && init_project
ticket pt-3
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 1 "a repository without a commit"
like "$err" 'commit' "says so"
is "$(starts pt-3)" 0 "nothing was started"
is "$out" "" "nothing is promised"
done_testing
