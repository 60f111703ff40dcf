#!/usr/bin/env bash
# A commit has what the task changed and nothing else: what the user had changed, added or staged
# before stays as it is, and our own files are never in it.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
sed -i d .gitignore
mkdir 'a dir'
printf '%s\n' 1 2 3 4 5 6 7 8 9 >numbers
echo gone >gone.txt
echo move >'a dir/old name'
git add -A && git commit -qm more
before=$(git rev-parse HEAD)
# The user's own: a file that is dirty, one that is staged, one that is new, one that both change.
echo mine >>README.md
echo staged >staged.txt && git add staged.txt
echo new >new.txt
sed -i 's/^1$/1 (mine)/' numbers
worker <<'END'
case $KIND in
task)
	sed -i 's/^9$/9 (task)/' numbers
	rm gone.txt
	mv 'a dir/old name' 'a dir/neue Datei ü"'
	echo task >'-rf'
	ralph done --summary 'change much'
	;;
esac
END
todo
exit_is 0 "done"
is "$(git rev-list --count "$before..HEAD")" 1 "one commit"
is "$(git -c core.quotePath=false show --no-renames --name-status --format= HEAD)" 'A	-rf
A	"a dir/neue Datei ü\""
D	a dir/old name
D	gone.txt
M	numbers' "with the files of the task"
is "$(git show HEAD:numbers | xargs)" "1 2 3 4 5 6 7 8 9 (task)" "of a file that both changed only the task's part"
is "$(xargs <numbers)" "1 (mine) 2 3 4 5 6 7 8 9 (task)" "the user's part is still there"
is "$(git status --porcelain | grep -v ' ai/')" " M README.md
 M numbers
A  staged.txt
?? new.txt" "and everything else of the user's, staged or not"
is "$(git show HEAD --name-only --format= -- ai)" "" "none of our files"
no_leftovers "nothing goes on"
done_testing
