#!/usr/bin/env bash
# A hook that is mended while ralph todo runs counts from `ralph trust` on; why nothing was committed says so.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Mend' '- [ ] T002: After'
printf '#!/bin/sh\necho too long a line; exit 1\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
worker <<'END'
case $TASK.$KIND in
T001.task) printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-commit; echo 1 >one; ralph done --summary one ;;
T002.task) echo 2 >two; ralph done --summary two ;;
esac
END
todo
is "$(commits)" "" "the hook that a person agreed to counts"
like "$out$err" "T001.* not committed: .*too long a line.*; the hooks that are there now count from 'ralph trust' on" \
	"what is in place now is named with it"
run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
todo
exit_is 0 "the next run"
is "$(commits)" $'T002: two\nT001: one' "makes the commits"
no_leftovers "nothing goes on"
done_testing
