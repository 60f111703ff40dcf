#!/usr/bin/env bash
# A run that is there: it goes on as it began, and never beside another.
. "$(dirname "$0")/loop-review.sh"

cat >"$T/waits" <<SCRIPT
#!/bin/sh
echo "start \$RALPH_TICKET" >>"$T/log"
until [ -e "$T/go" ]; do sleep 0.05; done
. "$worker"
SCRIPT
chmod +x "$T/waits"

project "$T/work/p"
ticket a && ticket b && commit
looped --once -- "$T/waits"
exit_is 0 "one pass leaves an agent behind"
is "$(grep -c start "$T/log")" 1 "which works"

looped --new-run --name other -- "$T/waits"
exit_is 1 "another run does not begin beside it"
like "$err" 'still works on a \(pid [0-9]+\); go on with it: ralph loop; end it: ralph stop p-loop' "and says why"
run env RALPH_HOME="$T/elsewhere" timeout -s KILL 60 "$RALPH" loop --name third -- "$T/waits"
exit_is 1 "nor one of another home"
like "$err" 'still works on a \(pid [0-9]+\)' "for the same reason"
is "$(grep -c start "$T/log")" 1 "nobody else was started"

run "$RALPH" pause p-loop
touch "$T/go"
wait_for 20 grep -qs 'work of a' .tf/ralph/worktrees/a/out-a
looped --once -- "$T/waits"
exit_is 3 "a pass does not end a pause"
like "$err" 'p-loop is paused; go on with: ralph resume p-loop' "and says how to"
is "$(grep -c 'start b' "$T/log")" 0 "nothing was started"

looped --max 7 --verify false
exit_is 0 "without a worker it goes on with its own"
like "$err" 'goes on with maxIterations=50 as it began' "with its limits"
like "$err" 'goes on as it began: what is said now of verify has no effect;' "and all else, which is said"
ok "all is done" git cat-file -e main:out-b

ticket c && commit c
looped --max 7 -- "$worker"
unlike "$err" 'as it began' "a new run has nothing to be compared with"
rm "$T/go"
ticket d && commit d
run_bg "$RALPH" loop -- "$T/waits"
wait_for 20 grep -qs 'start d' "$T/log"
run "$RALPH" stop p-loop
end_bg 20 "$bg"
touch "$T/go"
looped
exit_is 0 "after a stop 'ralph loop' goes on, as it says"
unlike "$err" 'as it began' "where nothing else is said, nothing differs"
done_testing
