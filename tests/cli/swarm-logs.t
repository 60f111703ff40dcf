#!/usr/bin/env bash
# swarm logs prints what a worker wrote, whether it runs or has ended.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" logs nobody
exit_is 1 "it must be somebody"
is "$err" "swarm: no worker named 'nobody'" "that is said"

# shellcheck disable=SC2016 # the agent's shell expands it
"${loop[@]}" piped --max-iterations 2 -- "$AGENT" -e 'sh echo "iteration $RALPH_ITERATION"; err to stderr' >piped.out
run "$SWARM" logs piped
exit_is 0 "of a worker without a terminal"
is "$(sort <<<"$out")" "iteration 2
to stderr" "everything that its latest agent wrote"

# A terminal is 40 rows high.
"${loop[@]}" screen --detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- \
	"$AGENT" -e 'sh seq -f "line %g" 1 100; touch written; wait-file go' >screen.out
wait_for 20 test -e written
shows_last() {
	[[ $("$SWARM" logs screen | tail -n 1) == "line 100" ]]
}
wait_for 20 shows_last
run "$SWARM" logs screen
is "$out" "$(seq -f 'line %g' 62 100)" "of one with a terminal: its screen"
run "$SWARM" logs --lines 5 screen
is "$(wc -l <<<"$out")" 39 "--lines is about the history"
run "$SWARM" logs --history screen
is "$out" "$(seq -f 'line %g' 1 100)" "--history: what scrolled off, too"
run "$SWARM" logs --history --lines 5 screen
is "$out" "$(seq -f 'line %g' 57 100)" "but not more than so many lines of it"
touch go
run "$SWARM" wait screen
run "$SWARM" logs screen
is "$out" "$(seq -f 'line %g' 62 100)" "the screen of a worker that has ended is kept"
run "$SWARM" logs screen --history
is "$out" "$(seq -f 'line %g' 1 100)" "and so is its history"

rm -r "$RALPH_HOME"/loops/piped/sessions
run "$SWARM" logs piped
exit_is 1 "nothing on record"
is "$err" "swarm: no logs found for piped" "is said"
no_leftovers "nothing goes on"
done_testing
