#!/usr/bin/env bash
# activity.md has a block for every task that was tried: complete, blocked with the reason, or stuck where
# no worker said that it is done.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Complete' '- [ ] T002: Blocked' '- [ ] T003: Says nothing'
worker <<'END'
case $TASK.$KIND in
T001.task) ralph done ;;
T002.task) ralph blocked no key for the API ;;
esac
END
todo --pipe --commit off
exit_is 11 "not all is complete"
block() { grep -A 5 "^\*\*Task:\*\* $1: " ai/ralph/activity.md | sed -E 's/^(\*\*Duration:\*\*) [0-9hms ]+$/\1 SPAN/'; }
is "$(block T002)" '**Task:** T002: Blocked
**Status:** blocked
**Commit:** skipped
**Duration:** SPAN
**Notes:** no key for the API' "the blocker is logged"
like "$(block T001)" 'Status:\*\* complete' "what is complete is said to be"
like "$(block T003)" 'Status:\*\* stuck' "what nobody said is done is stuck"
no_leftovers "nothing goes on"
done_testing
