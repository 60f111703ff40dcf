#!/usr/bin/env bash
# git is started in one place (land/git.h), where nothing runs that nobody agreed to: in no other file does an argument list
# begin with its name, and no script for a shell but that of the user's hooks, which passes on what git.h would.
. "$(dirname "$0")/../cli/lib.sh"
plan 4

starts='(strlist_add\([^"]*|[{=(,][[:space:]]*)"git"[^:]'
cd "$root/src" || exit 1
grep -rlE "$starts" --include='*.c' . >"$T/found"
is "$(grep -x './land/git.c' "$T/found")" "./land/git.c" "the one place is seen"
# Members and sentences of that name, no programs.
is "$(grep -vxE './land/(git|trust|trust_facts).c|./cmd/lander.c' "$T/found")" "" "and there is no other"
grep -rlE '"([^"]*[ ;&|(])?(exec|env|command) git\b' --include='*.c' . >"$T/scripts"
is "$(cat "$T/scripts")" "./land/turn_make.c" "a script starts git for hooks alone"
# The toolkit has each of these commands once.
for command in commit-tree merge-tree write-tree diff-index; do
	grep -rlE "\"$command\"" --include='*.c' . | grep -v '^./source/' | sed "s/\$/ $command/"
done >"$T/commands"
is "$(sort "$T/commands")" "./land/delta.c diff-index
./land/merged.c merge-tree
./land/object.c commit-tree
./land/stage.c write-tree" "and each tool has one file"
