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
is "$err" "ralph: error: '$name' is not running, it is complete (no_work)" "cannot be nudged, and needs no resume"
run "$RALPH" nudge nobody
exit_is 1 "nor one that never was"

# Of others it is said how they stand, and what to type where that helps.
list '- [ ] T002: Two' '- [ ] T003: Three'
rm -f "$led"/{end,texts}
worker <<'END'
case $KIND in
task) while [ ! -e "$LED/go" ]; do sleep 0.1; done; done_by_tag ;;
esac
END
todo_bg --commit off
wait_for 30 gets task T002
"$RALPH" pause "$name" >said
run "$RALPH" nudge "$name"
is "$status $out" "0 nudged $name" "a paused loop whose worker works is nudged"
: >"$led/go"
marked() { [[ $(marks) == *'x T002'* ]]; }
wait_for 30 marked
run "$RALPH" nudge "$name"
is "$status $err" "1 ralph: error: '$name' is paused, and no worker has a task; go on with: ralph resume $name" "one whose worker only waits is not"
crash "$bg"
run "$RALPH" nudge "$name"
is "$status $err" "1 ralph: error: '$name' is not running, it is paused (go on with: ralph resume $name)" "nor one that nobody looks after"
rm "$led/go"
"$RALPH" resume "$name" >said
wait_for 30 gets task T003
crash "$(supervisor_of "$name")"
run "$RALPH" nudge "$name"
is "$status $err" "1 ralph: error: '$name' is not running, it is crashed (its supervisor is gone; go on with: ralph resume $name)" "nor one that crashed"
"$RALPH" stop "$name" >said
run "$RALPH" nudge "$name"
is "$status $err" "1 ralph: error: '$name' is not running, it is stopped (stopped); go on with: ralph resume $name" "nor one that was stopped"
echo 'do it' >prompt
"${loop[@]}" plain --max-iterations 1 -- "$AGENT" -e 'println x' >said
run "$RALPH" nudge plain
is "$status $err" "1 ralph: error: 'plain' does not lead a worker: only loops of 'ralph todo' can be nudged" \
	"nor one that leads none, running or not"
no_leftovers "nothing goes on"
done_testing
