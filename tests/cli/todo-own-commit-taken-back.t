#!/usr/bin/env bash
# A worker that commits by itself leaves nothing to commit.  Its commit is a part of the run all the same: when a later
# worker takes it off its branch, it is kept, named, and no part of a success.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: The first' '- [ ] T002: The second'
worker <<'END'
case $TASK.$KIND in
T001.task | T003.task)
	seq 9 >"$TASK.txt"
	git add "$TASK.txt"
	git commit -qm 'of its own accord'
	ralph done
	;;
T002.task)
	git reset -q --hard HEAD~1
	echo "by $TASK" >"$TASK.txt"
	ralph done
	;;
T004.task)
	git commit -q --amend -m 'in other words'
	echo "by $TASK" >"$TASK.txt"
	ralph done
	;;
esac
END
gone() { git for-each-ref --format='%(refname)' refs/ralph/gone; }

todo
exit_is 14 "what was taken off the branch is not done"
unlike "$out" 'All tasks complete!' "nobody says that all is complete"
ref=$(gone)
like "$ref" '^refs/ralph/gone/T001/[0-9a-f]{12}$' "the commit is kept"
is "$(git show "$ref:T001.txt" | wc -l)" 9 "with its work"
like "$out" "T001 .*git cherry-pick $ref" "it is named, with what to do"

git update-ref -d "$ref"
list '- [ ] T003: The third' '- [ ] T004: The fourth'
todo
exit_is 0 "one that is there in another form is not missed"
like "$out" 'All tasks complete!' "all is complete"
is "$(gone)" "" "nothing is kept"
is "$(git show HEAD:T003.txt | wc -l)" 9 "since it is there"
done_testing
