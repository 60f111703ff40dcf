#!/usr/bin/env bash
# git is started in one place (git/git.h), where nothing runs that nobody agreed to: no other file has its name as a text, or a
# script for a shell with it, but the script of the user's hooks, which passes on what git.h would.
. "$(dirname "$0")/../cli/lib.sh"
plan 4

cd "$root/src" || exit 1

# The names of those files that have the program's name as a text of its own, but for sentences and members of JSON, or that give a
# shell a command of ours.
starters() {
	perl -0777 -ne 's{/\*.*?\*/|//[^\n]*}{ }gs; s{json_\w+\([^;]*?;}{}gs; s{\? "git" : step->effect\.task}{};
		print "$ARGV\n" if m{"(?:[^"\s]*/)?git"} || /\bchild_shell\("/' "$@"
}

mapfile -t files < <(find . -name '*.[ch]' | sort)
is "$(starters "${files[@]}")" "./git/git.c" "git is started in one place"

# Each line alone is an offence.
number=0
while IFS= read -r line; do
	number=$((number + 1))
	printf '%b\n' "$line" >"$T/bad$number.h"
done <<'C'
	argv = strlist_more(NULL, ARGS("git", "status"));
	const char *argv[] = {\n\t\t"git",\n\t\t"status",\n\t};
	execl("/usr/bin/git", "git", NULL);
	static const char *const program = "git";
	argv = child_shell("git status");
C
is "$(starters "$T"/bad*.h | wc -l)" "$number" "another place would be seen"
grep -rlE '"([^"]*[ ;&|(])?(exec|env|command) git\b' --include='*.[ch]' . >"$T/scripts"
is "$(cat "$T/scripts")" "./git/turn/turn_make.c" "a script starts git for hooks alone"
# The toolkit has each of these commands once.
for command in commit-tree merge-tree write-tree diff-index; do
	grep -rlE "\"$command\"" --include='*.c' . | grep -v '^./work/' | sed "s/\$/ $command/"
done >"$T/commands"
is "$(sort "$T/commands")" "./git/delta.c diff-index
./git/merged.c merge-tree
./git/object.c commit-tree
./git/stage.c write-tree" "and each tool has one file"
