#!/usr/bin/env bash
# A timeout ends the whole tree; everything in its worktree is saved before that is removed.
. "$(dirname "$0")/tickets.sh"
plan 8

new_project
echo '*.log' >.gitignore && git add .gitignore && git commit -qm ignore
ticket pt-1
does pt-1 <<'SCRIPT'
work "committed by pt-1"; commit
echo "changed by pt-1" >file
echo "new of pt-1" >new
setsid sleep 600 &
hang
SCRIPT
work_on --timeout 1s
exit_is 11 "it failed"
no_leftovers "its tree is gone"
ref=refs/ralph/failed/pt-1/1
is "$(git show $ref:out/pt-1)" "committed by pt-1" "what it committed is saved"
is "$(git show $ref:file)" "changed by pt-1" "what it changed is saved"
is "$(git show $ref:new)" "new of pt-1" "what it made is saved"
not_ok "the worktree is gone" test -e .tf/ralph/worktrees/pt-1
is "$(git worktree list | wc -l)" 1 "git has none of it, either"
is "$(cat file)" one "the project is as it was"
