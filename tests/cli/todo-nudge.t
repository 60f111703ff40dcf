#!/usr/bin/env bash
# NUDGE from outside, on stdin or by ralph nudge: it is acknowledged; a worker that moves is left
# alone, one that is still is asked.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $KIND in
task) echo working ;;
probe) : >"$LED/asked"; [ ! -e "$LED/end" ] || done_by_tag ;;
esac
END
mkfifo in
"$RALPH" todo --commit off -- "${lead[@]}" <in >log 2>&1 &
bg=$!
exec 7>in
wait_for 20 gets task T001
printf 'hello\nNUDGE: Leader inactive for 300s - continue monitoring worker\r\n' >&7
wait_for 20 said log 'nudged from outside; looking at the worker'
wait_for 20 said log 'moves again'
pass "a line on stdin is heard; the worker moves"
run "$RALPH" nudge "$name"
exit_is 0 "ralph nudge"
wait_for 20 said log 'nudged from outside' 2 && pass "is heard alike"
is "$(texts | xargs)" "task T001" "who moves is left alone"

still() {
	"$RALPH" nudge "$name" >/dev/null
	gets probe T001 || { sleep 0.5 && return 1; }
}
: >"$led/end"
wait_for 40 still && pass "who has been still for ten seconds is asked"
exec 7>&-
wait "$bg"
is "$?" 0 "and goes on; that nobody is on stdin any more does not matter"
run "$RALPH" nudge "$name"
exit_is 1 "a loop that is over"
like "$err" "is not running" "cannot be nudged"
run "$RALPH" nudge nobody
exit_is 1 "nor one that never was"
no_leftovers "nothing goes on"
done_testing
