#!/usr/bin/env bash
# What an agent changes and hides from git (update-index --skip-worktree, --assume-unchanged) is its work as
# any other.  What the user had hidden before stays hidden, is in no commit and holds no task up.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
hidden() {
	git ls-files -v | grep -v '^H ' | paste -sd,
}
project '- [ ] T001: Change and hide' '- [ ] T002: Hide and change' '- [ ] T003: Hide and remove' \
	'- [ ] T004: Only hide' '- [ ] T005: Change what was only hidden' '- [ ] T006: Change what is hidden'
for file in one two three four mine yours; do
	echo "$file" >"$file.txt"
done
git add . && git commit -qm 'Some files'
echo local >mine.txt && git update-index --skip-worktree mine.txt
echo local >yours.txt && git update-index --assume-unchanged yours.txt
worker <<'END'
case $TASK.$KIND in
T001.task) echo agent >one.txt; git update-index --skip-worktree one.txt; ralph done --summary 'change' ;;
T002.task) git update-index --assume-unchanged two.txt; echo agent >two.txt; ralph done --summary 'hide' ;;
T003.task) git update-index --skip-worktree three.txt; rm three.txt; ralph done --summary 'remove' ;;
T004.task) git update-index --skip-worktree four.txt; ralph done --summary 'nothing' ;;
T005.task) echo agent >four.txt; ralph done --summary 'four' ;;
T006.task)
	echo agent >>mine.txt; git update-index --no-assume-unchanged yours.txt; echo agent >>yours.txt
	ralph done --summary 'hidden' ;;
esac
END
todo
exit_is 0 "all tasks are complete"
is "$(commits | head -n 4 | paste -sd,)" "T005: four,T003: remove,T002: hide,T001: change" \
	"what the tasks have hidden is committed"
is "$(git log --format= --name-status | grep -v '^A' | paste -sd,)" $'M\tfour.txt,D\tthree.txt,M\ttwo.txt,M\tone.txt' \
	"each with its own, and none of the user's"
is "$(git show HEAD:four.txt)$(git show HEAD:one.txt)" agentagent "as they are"
is "$(hidden)" "S mine.txt" "the tasks' marks are gone, the user's are left to the user"
is "$(git status --porcelain)" " M yours.txt" "nothing else is left"
is "$(paste -sd, mine.txt)" "local,agent" "the files are as the tasks left them"
like "$out" 'All tasks complete!' "and that is said"

list '- [ ] T011: Hidden, and refused'
printf '#!/bin/sh\nexit 1\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
worker <<'END'
case $TASK.$KIND in
T011.task) echo more >>one.txt; git update-index --skip-worktree one.txt; ralph done --summary 'refused' ;;
esac
END
todo
exit_is 14 "what a hook refuses waits"
is "$(hidden)" "S mine.txt" "and can be seen meanwhile"
rm .git/hooks/pre-commit
todo
exit_is 0 "until the hook is gone"
is "$(git show --name-only --format=%s HEAD | paste -sd,)" "T011: refused,,one.txt" "then it is committed"
is "$(find .git -name 'ralph-turn*' -o -name index.lock)" "" "nothing of ours is left"
no_leftovers "nothing goes on"
done_testing
