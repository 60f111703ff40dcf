#!/usr/bin/env bash
# A kind of loop that only the tests have (tests/kind): its folder, and a row or a name in three other files, make it work
# like the others.
. "$(dirname "$0")/lib.sh"

# "Make the file one.done."  With a file `waits` the agent hangs at the second task, once.
cat >agent <<'AGENT'
read -r _ _ _ file
echo "$file" >>order
if [ "$file" = two.done. ] && [ -e waits ]; then
	mv waits waited
	exec sleep 600
fi
touch "${file%.}"
AGENT

run "$RALPH" three -- sh ./agent
exit_is 0 "three tasks are done"
is "$(tr '\n' ' ' <order)" "one.done. two.done. three.done. " "each once, in their order"
name=$("$RALPH" ls --format names)
like "$("$RALPH" status "$name")" 'Status: complete' "and status tells"

# Killed in the middle, it goes on with the task that is not done.
rm -f ./*.done order
touch waits
run_bg "$RALPH" three -- sh ./agent
wait_for 60 test -e waited
crash "$bg"
name=$("$RALPH" ls --format names | tail -n 1)
run "$RALPH" stop "$name"
exit_is 0 "a loop of that kind is stopped after a crash"
run "$RALPH" resume "$name"
exit_is 0 "and resumed"
run "$RALPH" wait "$name"
exit_is 0 "to its end"
is "$(tr '\n' ' ' <order)" "one.done. two.done. two.done. three.done. " "with the task that was not done"
no_leftovers "nothing goes on"
done_testing
