#!/usr/bin/env bash
# W17: a fresh worktree gets the ignored files that the project lists, and a setup command runs in it.
. "$(dirname "$0")/tickets.sh"
plan 7

new_project
printf '.env\nsecrets/\nbuild/\n' >.gitignore && git add .gitignore && git commit -qm ignore
mkdir secrets build
echo KEY=1 >.env
echo key >secrets/key
echo big >build/artifact
config copy '[".env", "secrets/key"]'
config setup '"echo set up >setup.done"'
ticket pt-1
does pt-1 <<'SCRIPT'
cat .env secrets/key setup.done >"$T/seen"; ls build >>"$T/seen" 2>/dev/null
work; close_ticket; commit
SCRIPT
work_on
exit_is 0 "it is done"
is "$(cat "$T/seen")" $'KEY=1\nkey\nset up' "the worker had the files and the setup, and nothing else"
not_ok "ignored files do not land" has main .env
is "$(cat .env)" KEY=1 "the project's own are as they were"
ticket pt-2
config setup '"exit 7"'
work_on
exit_is 11 "a setup that fails fails the ticket"
is "$(starts pt-2)" 0 "no worker starts in a tree that is not set up"
is "$(summary Iterations)" 1 "it counts as started"
