#!/usr/bin/env bash
# --base: work starts from and lands on another branch than the one that is checked out.
. "$(dirname "$0")/tickets.sh"
plan 7

new_project untracked
git branch stable
echo two >file && git commit -qam two
ticket pt-1
does pt-1 <<'SCRIPT'
note "file $(cat file)"; work; close_ticket; commit
SCRIPT
work_on --base stable
exit_is 0 "it is done"
ok "the worker began there" said "$T/log" '^file one$'
ok "it landed there" has stable out/pt-1
not_ok "not on the branch that is checked out" has main out/pt-1
is "$(git branch --show-current)" main "which is still checked out"
work_on --base no-such-branch
exit_is 1 "a branch that does not exist"
like "$err" 'no-such-branch' "is named"
