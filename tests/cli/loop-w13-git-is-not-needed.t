#!/usr/bin/env bash
# W13: without git the loop runs in the project itself, one ticket after the other.
. "$(dirname "$0")/tickets.sh"
plan 5

mkdir -p "$project/.tickets" && cd "$project" || exit 1
init_project
ticket pt-1
ticket pt-2
does pt-1 'work; close_ticket'
does pt-2 'work; close_ticket'
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "outside of a repository"
ok "the work is in the project" test -e out/pt-1 -a -e out/pt-2
is "$(status_of pt-1) $(status_of pt-2)" "closed closed" "the tickets are closed"
unlike "$err" 'worktree' "no worktree is spoken of"
run "$RALPH" loop --worktree always -- "$T/worker" '{ticket}' '{file}'
not_ok "who asks for worktrees is told that there are none" test "$status" -eq 0
