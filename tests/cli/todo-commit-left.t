#!/usr/bin/env bash
# A task that changed only what cannot be told from changes that were there before is not complete: it
# waits until those are committed or put aside.  What a commit had to leave out is an alert.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Go on with the notes' '- [ ] T002: Something else' '- [ ] T003: Both'
echo mine >notes.txt
echo mine >others.txt
worker <<'END'
case $TASK.$KIND in
T001.task) echo task >>notes.txt; ralph done --summary 'go on' ;;
T002.task) echo two >two.txt; ralph done --summary 'something else' ;;
T003.task) echo three >three.txt; echo three >>others.txt; ralph done --summary 'both' ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 14 "what is not committed is not complete"
unlike "$out" 'All tasks complete!' "nobody says that all is"
unlike "$out" 'T001 complete' "nor that the task is"
like "$out" 'T001: not committed: .*notes\.txt \(it was there before the task, but not in git\)' "the end names the task, and the file with its reason"
is "$(marks | paste -sd,)" "  T001,x T002,x T003" "its box is not ticked, those of the others are"
is "$(commits | paste -sd,)" "T003: both,T002: something else" "the others are committed by themselves"
like "$(jq -r .text "$T/alerts")" 'T001: not committed: .*notes\.txt' "it is an alert"
like "$(jq -r .text "$T/alerts")" 'T003 is committed, but not all of it: left uncommitted: others\.txt' "and so is what a commit left out"

git add notes.txt others.txt && git commit -qm 'My notes'
todo
exit_is 0 "with the user's part committed"
like "$out" 'All tasks complete!' "all is complete"
is "$(marks | paste -sd,)" "x T001,x T002,x T003" "and ticked"
is "$(git status --porcelain | grep -v ' ai/')" "" "nothing is left"
is "$(git for-each-ref refs/ralph)" "" "and nothing is kept"
no_leftovers "nothing goes on"
done_testing
