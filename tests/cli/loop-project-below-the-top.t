#!/usr/bin/env bash
# A project in a directory of a repository: workers, copies and verification are there, in the worktree.
. "$(dirname "$0")/tickets.sh"
plan 7

mkdir -p "$T/work/repo" && cd "$T/work/repo" || exit 1
git init -q && echo one >top && echo .env >.gitignore && git add . && git commit -qm one
project=$T/work/repo/part
mkdir -p "$project/.tickets" && cd "$project" || exit 1
init_project
echo KEY=1 >.env
ticket pt-1
does pt-1 <<'SCRIPT'
note "in $PWD with $(cat .env)"; work; close_ticket; commit
SCRIPT
commit_tickets
mkdir deeper && cd deeper || exit 1
run "$RALPH" loop --verify 'test -e out/pt-1' -- "$T/worker" '{ticket}' '{file}'
cd ..
exit_is 0 "it is done, from below the project"
ok "the worker was in its part of the worktree, with its files" \
	said "$T/log" "^in $project/.tf/ralph/worktrees/pt-1/part with KEY=1$"
ok "the work landed in that part" git cat-file -e main:part/out/pt-1
not_ok "not at the top" git cat-file -e main:out/pt-1
is "$(status_of pt-1)" closed "the ticket is closed"
is "$(cat out/pt-1)" "work of pt-1" "the checkout has it"
not_ok "what is ignored did not land" git cat-file -e main:part/.env
