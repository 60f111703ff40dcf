#!/usr/bin/env bash
# A worker cannot hide a hook among so many that nobody looks at all of them.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
marker=$T/marker trusted=$T/trusted
export marker
project '- [ ] T001: Before' '- [ ] T002: Plant' '- [ ] T003: After'
rm -f .git/hooks/*
for hook in pre-commit prepare-commit-msg commit-msg post-commit; do
	printf '#!/bin/sh\necho mine >>"%s"\n' "$trusted" >.git/hooks/$hook
	chmod +x .git/hooks/$hook
done
for ((i = 0; i < 1500; i++)); do echo data >".git/hooks/data$i"; done
worker <<'END'
case $TASK.$KIND in
T001.task) echo 1 >one; ralph done --summary one ;;
T002.task)
	cp .git/hooks/pre-commit .git/pre-commit~
	printf '#!/bin/sh\necho pre-commit >>"%s"\n' "$marker" >.git/hooks/pre-commit
	echo 2 >two; ralph done --summary two ;;
T003.task) echo 3 >three; ralph done --summary three ;;
esac
END
todo
not_ok "none of the worker's hooks has run" test -e "$marker"
is "$(commits | tail -1)" "T001: one" "while all was as a person had it, there were commits"
is "$(head -1 "$trusted")" mine "with the hook that was there"
not_ok "then there is something to agree to" "$RALPH" trust --list
like "$out$err" "not committed.*ralph trust" "without that nothing is committed, and the sentence says so"

mv .git/pre-commit~ .git/hooks/pre-commit
run "$RALPH" trust --yes
todo
exit_is 0 "the next run"
is "$(commits)" $'T003: three\nT002: two\nT001: one' "makes the commits"
not_ok "still without the worker's hooks" test -e "$marker"
no_leftovers "nothing goes on"
done_testing
