#!/usr/bin/env bash
# W7: work lands on the branch that the run started on; the user's checkout stays on it.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
git checkout -qb feature
ticket pt-1
work_on
exit_is 0 "on a branch"
is "$(git branch --show-current)" feature "the user is still on it"
ok "the work landed there" has feature out/pt-1
not_ok "not on main" has main out/pt-1
is "$(git log -1 --format=%s main)" one "main is where it was"
is "$(git reflog --format=%gs | grep -c '^checkout')" 1 "no checkout but the user's own"
