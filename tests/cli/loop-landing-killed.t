#!/usr/bin/env bash
# All of us killed with -9 while a landing has references locked: the next run takes away what our git left,
# and lands the work once.
. "$(dirname "$0")/tickets.sh"
. "$root/tests/cli/killed-git.sh"
locks() { find .git -name '*.lock' ! -name 'ralph*.lock' -o -name 'ralph-lock:*'; }
loops() { run "$RALPH" loop "$@" -- "$T/worker" '{ticket}' '{file}'; }

new_project
ticket pt-1
does pt-1 'echo by pt-1 >file; close_ticket; commit'
commit_tickets
kill_at unlink "$PWD/.git/packed-refs.lock"
loops
exit_is 137 "killed when the ticket's branch goes"
ok "a lock stays" test -e .git/packed-refs.lock
loops
exit_is 0 "the next run ends well"
is "$(locks)" "" "without a lock"
is "$(git show main:file) $(git branch --list 'ralph/*')" "by pt-1 " "the work is on the branch, and its own is gone"

git checkout -q -b user
ticket pt-2
does pt-2 'echo by pt-2 >file; close_ticket; commit'
commit_tickets
git branch -f main user
kill_at rename "$PWD/.git/refs/heads/main.lock"
loops --base main
exit_is 137 "killed when the branch moves"
ok "its lock stays" test -e .git/refs/heads/main.lock
loops --base main
exit_is 0 "the next run lands it"
is "$(locks)" "" "without a lock"
is "$(git show main:file)" "by pt-2" "there it is"
is "$(git log --format=%h --grep='Ralph-Ticket: pt-2' main | wc -l) $(starts)" "1 2" "once, and nothing was done twice"
done_testing
