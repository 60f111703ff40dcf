#!/usr/bin/env bash
# A landing ends when somebody asks for it, also while the run is ending already.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/p"
ticket a && ticket b && commit
cat >"$T/agent" <<SCRIPT
#!/bin/sh
[ "\$RALPH_TICKET" = a ] && . "$worker" && exit 0
until [ -e "$T/verifies" ]; do sleep 0.05; done
exit 1
SCRIPT
chmod +x "$T/agent"
run_bg "$RALPH" loop --parallel 2 --fail-fast --grace 1s --verify "touch '$T/verifies'; exec sleep 600" -- "$T/agent"
wait_for 20 said "$T/bg.$bg.err" '^b: FAILED'
kill -INT "$bg"
end_bg 20 "$bg"
exit_is 130 "Ctrl-C ends a verification that does not"
like "$err" 'a: interrupted; its work is kept' "its ticket is not done"
unlike "$out" COMPLETE "and not all is complete"
is "$(git show ralph/a:out-a)" "work of a" "what it did is kept"
ok "the run can go on" test -e .tf/ralph/dispatch-loop-state.json

rm "$T/verifies"
run_bg "$RALPH" loop
wait_for 20 test -e "$T/verifies"
pid=$(supervisor_of p-loop)
kill -INT "$pid"
wait_for 20 gone "$pid"
pass "also when it is the first thing that is asked"
no_leftovers "nothing is left running"
done_testing
