#!/usr/bin/env bash
# Settings that a linked work tree has for itself (config.worktree) count as a person agreed to them, like the others.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
export marker=$T/marker mine=$T/mine
project
git config extensions.worktreeConfig true
git worktree add -q ../linked
cd ../linked || exit 1
git config --worktree filter.mine.clean 'sh -c "echo mine >>$mine; cat"'
echo 'mine* filter=mine' >.gitattributes
echo 'evil* filter=evil' >>.gitattributes
git add .gitattributes && git commit -qm attributes
list '- [ ] T001: Plant'
worker <<'END'
case $TASK.$KIND in
T001.task)
	git config --worktree filter.evil.clean "sh -c 'echo evil >>$marker; cat'"
	echo 1 >mine.txt; ralph done --summary one ;;
T002.task) echo 2 >evil.txt; ralph done --summary two ;;
T003.task) git config --worktree --unset-all filter.evil.clean; echo 3 >evil.2; ralph done --summary three ;;
esac
END
todo
exit_is 0 "a task is done in a linked work tree with settings of its own"
is "$(sort -u "$mine")" mine "what was there when it was first seen counts"
like "$err" 'without effect until .ralph trust.: in .*/worktrees/linked git filter\.evil\.clean' "what a worker adds is said"
run "$RALPH" trust --list
exit_is 1 "ralph trust --list knows of it"
like "$out" $'worktrees/linked git filter\\.evil\\.clean\n  - \\(none\\)\n  \\+ sh -c .echo evil' "and shows it"

list '- [ ] T002: Use it'
todo
not_ok "in a later loop it does not run, either" test -e "$marker"
like "$out$err" "filter 'evil' was changed while an agent worked" "and nothing is committed unfiltered"

run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
ok "then nothing is untrusted" "$RALPH" trust --list
todo
exit_is 0 "and the task is done"
is "$(sort -u "$marker")" evil "with the filter"

list '- [ ] T003: Take it away'
todo
like "$("$RALPH" trust --list)" $'git filter\\.evil\\.clean\n  - sh -c .echo evil.*\n  \\+ \\(none\\)' "one that a worker takes away is shown"

git config --worktree filter.mine.clean 'sh -c "echo changed >>$mine; cat"'
git config --worktree filter.evil.clean "sh -c 'echo evil >>$marker; cat'"
: >"$mine"
touch -d 2001-02-03 mine.txt
list '- [ ] T001: Again'
todo
is "$(sort -u "$mine")" changed "what a person changes between two loops counts at once"
no_leftovers "nothing goes on"
done_testing
