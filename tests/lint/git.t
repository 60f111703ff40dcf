#!/usr/bin/env bash
# git is started in one place (land/git.h), where nothing runs that nobody agreed to: in no other file does an argument list
# begin with its name.
. "$(dirname "$0")/../cli/lib.sh"
plan 2

starts='(strlist_add\([^"]*|[{=(,][[:space:]]*)"git"[^:]'
cd "$root/src" || exit 1
grep -rlE "$starts" --include='*.c' . >"$T/found"
is "$(grep -x './land/git.c' "$T/found")" "./land/git.c" "the one place is seen"
# Members and sentences of that name, no programs.
is "$(grep -vxE './land/(git|trust|trust_facts).c|./cmd/lander.c' "$T/found")" "" "and there is no other"
