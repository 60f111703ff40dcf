#!/usr/bin/env bash
# A task that waits for its commit is not complete because its work was put away meanwhile, and takes
# nothing of what another worker has in hand.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Change the first line'
seq 30 >lines
git add lines && git commit -qm lines
worker <<'END'
case $TASK.$KIND in
T001.task) sed -i 's/^1$/by T001/' lines; ralph done --summary 'change the first line' ;;
T002.task)
	sed -i 's/^15$/half by T002/' lines; : >"$LED/half"
	while [ ! -e "$LED/go" ]; do sleep 0.05; done
	sed -i 's/^15$\|^half by T002$/by T002/' lines; ralph done --summary 'change another line' ;;
esac
END
git checkout -qb other HEAD~1
git commit -q --allow-empty -m 'T001: of an older list' -m 'Task: T001'
git checkout -q -
printf '#!/bin/sh\n[ ! -e "%s/refuse" ]\n' "$T" >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
touch "$T/refuse"
todo
exit_is 14 "the hook refuses"

rm "$T/refuse"
git stash push -q -- lines
todo
exit_is 14 "work that was stashed is not complete"
like "$out" 'T001: .*neither in the work tree nor in HEAD.*refs/ralph/turn/' "it is said where it is"
is "$(marks)" "  T001" "and not ticked"
git stash pop -q
git stash push -q -- lines
git checkout -q other
todo
exit_is 14 "nor does an older commit of that name count, on another branch"
is "$(marks)" "  T001" "the box stays open"
git checkout -q -
git stash pop -q
todo
exit_is 0 "when it is back, it is committed"
is "$(git log -1 --format=%s)" "T001: change the first line" "as the task's"

git reset -q --hard HEAD~1
list '- [ ] T001: Change the first line' '- [ ] T002: Change another'
touch "$T/refuse"
todo_bg
wait_for 20 test -e "$led/half"
crash "$bg"
rm "$T/refuse"
todo_bg
supervised() { [[ $("$RALPH" status "$name") != *'supervisor is gone'* ]]; }
wait_for 20 supervised
touch "$led/go"
end_bg 60 "$bg"
is "$status" 0 "a run that goes on with another task in hand"
is "$(git log --format=%s -2 | sort | paste -sd,)" "T001: change the first line,T002: change another line" "commits both"
for task in T001 T002; do
	is "$(git log --grep "^Task: $task" -1 -p --format= -- lines | grep '^+[^+]')" "+by $task" "$task has its own line alone"
done
no_leftovers "nothing goes on"
done_testing
