#!/usr/bin/env bash
# Of several words in one breath the first counts: who is blocked is not done, and who is done is not
# blocked.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Blocked, then done' '- [ ] T002: Done, then blocked'
worker <<'END'
case $TASK.$KIND in
T001.task) file; printf '\n<promise>BLOCKED:no key</promise>\n<promise>DONE</promise>\n' ;;
T002.task) file; printf '\n<promise>DONE</promise>\n<promise>BLOCKED:no key</promise>\n' ;;
esac
END
todo --commit off
exit_is 11 "one of them is blocked"
is "$(marks | xargs)" "~ T001 x T002" "each by its first word"
no_leftovers "nothing goes on"
done_testing
