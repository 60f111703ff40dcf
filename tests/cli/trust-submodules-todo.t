#!/usr/bin/env bash
# In the user's own checkout, too, our git does not run what a worker configured in a submodule.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
export marker=$T/marker
project '- [ ] T001: Plant' '- [ ] T002: After' '- [ ] T003: Inside'
git init -q "$T/lib"
echo l >"$T/lib/l" && git -C "$T/lib" add l && git -C "$T/lib" commit -qm l
git -c protocol.file.allow=always submodule --quiet add "$T/lib" lib
git commit -qm lib
worker <<'END'
case $TASK.$KIND in
T001.task)
	mkdir -p .git/modules/lib/info
	echo '* filter=evil' >.git/modules/lib/info/attributes
	git config --file .git/modules/lib/config filter.evil.clean "sh -c 'echo clean >>$marker; cat'"
	git config --file .git/modules/lib/config core.fsmonitor "sh -c 'echo fsmonitor >>$marker'"
	touch -d 2001-02-03 lib/l
	echo 1 >one; ralph done --summary one ;;
T002.task) echo 2 >two; ralph done --summary two ;;
T003.task) echo 3 >three; echo mine >lib/mine; ralph done --summary three ;;
T004.task) echo 4 >four; ralph done --summary four ;;
esac
END
todo --on-alert "cat >>$T/alerts"
not_ok "none of the worker's commands has run" test -e "$marker"
exit_is 0 "the tasks are done"
is "$(commits)" $'T003: three\nT002: two\nT001: one\nlib' "and committed"
like "$out$err" 'lib.*it is a submodule, and its own changes are not committed there' "work in a submodule is seen"
like "$(cat "$T/alerts")" 'without effect until .ralph trust.: in .*/\.git/modules/lib git filter\.evil\.clean' "they are said"
like "$("$RALPH" trust --list)" 'modules/lib git filter\.evil\.clean' "and ralph trust shows them"

# A submodule that a person has filters for.
"$RALPH" trust --yes >/dev/null
list '- [ ] T004: Filtered'
todo
exit_is 0 "a later run"
is "$(sort -u "$marker")" clean "runs the filter of a submodule that a person agreed to"
no_leftovers "nothing goes on"
done_testing
