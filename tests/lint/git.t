#!/usr/bin/env bash
# git is started in one place (git/git.h), where nothing runs that nobody agreed to: in no other file does an argument list
# begin with its name, and no script for a shell but that of the user's hooks, which passes on what git.h would.
. "$(dirname "$0")/../cli/lib.sh"
plan 4

starts='(strlist_add\([^"]*|[{=(,][[:space:]]*)"git"[^:]'
cd "$root/src" || exit 1
grep -rlE "$starts" --include='*.c' . >"$T/found"
is "$(grep -x './git/git.c' "$T/found")" "./git/git.c" "the one place is seen"
# Members and sentences of that name, no programs.
is "$(grep -vxE './git/(git|trust/trust|trust/trust_facts).c|./work/tickets/lander.c' "$T/found")" "" "and there is no other"
grep -rlE '"([^"]*[ ;&|(])?(exec|env|command) git\b' --include='*.c' . >"$T/scripts"
is "$(cat "$T/scripts")" "./git/turn/turn_make.c" "a script starts git for hooks alone"
# The toolkit has each of these commands once.
for command in commit-tree merge-tree write-tree diff-index; do
	grep -rlE "\"$command\"" --include='*.c' . | grep -v '^./work/' | sed "s/\$/ $command/"
done >"$T/commands"
is "$(sort "$T/commands")" "./git/delta.c diff-index
./git/merged.c merge-tree
./git/object.c commit-tree
./git/stage.c write-tree" "and each tool has one file"
