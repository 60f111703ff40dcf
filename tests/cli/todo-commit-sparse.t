#!/usr/bin/env bash
# In a sparse checkout what is not there is neither removed by a task nor brought back.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Nothing' '- [ ] T002: Change and hide' '- [ ] T003: Leave more out'
mkdir here there
echo here >here/file && echo there >there/file
git add . && git commit -qm 'Two directories'
git sparse-checkout set --no-cone '/*' '!there'
worker <<'END'
case $TASK.$KIND in
T001.task) ralph done --summary 'nothing' ;;
T002.task) echo agent >here/file; git update-index --skip-worktree here/file; ralph done --summary 'change' ;;
T003.task) git sparse-checkout add '!here'; ralph done --summary 'less' ;;
esac
END
todo
exit_is 0 "all tasks are complete"
is "$(commits | head -n -1 | paste -sd,)" "T002: change" "one of them changed something"
is "$(git show --name-status --format= HEAD)" $'M\there/file' "which is committed, and nothing else"
not_ok "what was left out stays out" test -e there
is "$(git ls-files -v | grep -v '^H' | paste -sd,)" "S here/file,S there/file" "as is known of it"
is "$(git status --porcelain)" "" "nothing is left"
no_leftovers "nothing goes on"
done_testing
