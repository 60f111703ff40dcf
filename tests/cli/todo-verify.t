#!/usr/bin/env bash
# --verify has the last word: what it refuses goes back to the worker with what it printed.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Passes at the second attempt' '- [ ] T002: Never passes'
worker <<'END'
case $TASK.$KIND in
T001.task) echo bad >a.txt; ralph done --summary one ;;
T001.unverified) echo good >a.txt; ralph done --summary two ;;
T002.*) echo worse >a.txt; ralph done --summary three ;;
esac
END
todo --verify 'cat a.txt; echo "a.txt is $(cat a.txt)" >&2; grep -q good a.txt'
exit_is 11 "one passes"
like "$out" 'T001 is not verified: verify ended with status 1: bad a\.txt is bad' "what it printed is on the console, on one line"
unlike "$out" '\\x' "that can be read"
is "$(texts | grep -v clear | xargs)" "task T001 unverified T001 task T002 unverified T002 unverified T002 unverified T002" \
	"three answers, then it is blocked"
like "$(cat "$led/T001.2.unverified")" 'Command: cat a\.txt.*bad' "the worker sees command and output"
is "$(commits)" "T001: two" "only what passed is committed"
is "$(git show HEAD:a.txt)" good "as it passed"
is "$(marks | xargs)" "x T001 ~ T002" "and marked"
is "$(cat a.txt)" worse "what did not pass stays in the work tree"
no_leftovers "nothing goes on"
done_testing
