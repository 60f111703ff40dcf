#!/usr/bin/env bash
# Weakness 9: 'all files of git status' took the user's own edits and the loop's state files along.
# (todo-commit-only-its-own.t has every kind of change.)
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
sed -i d .gitignore && git add -A && git commit -qm 'track all of ai'
echo mine >user.txt
worker <<'END'
case $TASK.$KIND in
T001.task) echo 1 >"one file.txt"; git add -A; ralph done --summary one ;;
T002.task) echo 2 >two.txt; echo meanwhile >>user.txt; ralph done --summary two ;;
esac
END
todo
exit_is 0 "done"
is "$(git show --name-only --format=%s HEAD~1 | xargs -d '\n')" "T001: one  one file.txt" "one file, though the worker staged all"
is "$(git show --name-only --format=%s HEAD | xargs)" "T002: two two.txt" "and the next one"
ok "the user's file is not committed" test -z "$(git ls-tree HEAD user.txt)"
no_leftovers "nothing goes on"
done_testing
