#!/usr/bin/env bash
# Whoever opened a loop that was archived before he could lock it does not become its second supervisor.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
"${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'println old' >old.out
# One who is held up between the two; a leak cannot be looked for while somebody else traces.
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
# shellcheck disable=SC2016 # for the shell in between, which outlives the tracer
strace -f -o trace -e trace=flock -e inject=flock:delay_enter=100000000:when=1 \
	sh -c '"$@" >late.out 2>late.err; echo $? >late.status' sh "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'touch late' &
tracer=$!
wait_for 20 said trace 'flock\('
run_bg "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'touch here; wait-file go'
wait_for 20 test -e here
archived=("$RALPH_HOME"/archive/agent.*)
is "${#archived[@]}" 1 "another one archives the old loop and runs"
crash "$tracer"
wait_for 20 test -s late.status
is "$(cat late.status late.err)" "1
ralph: error: loop 'agent' was moved to the archive just now; try again" "the one who was late is told"
not_ok "and starts nothing" test -e late
archived=("$RALPH_HOME"/archive/agent.*)
is "${#archived[@]} $(field agent '[.status, .iteration, .supervised] | join(" ")')" "1 running 1 true" "the loop that runs is as it was"
touch go
end_bg 20 "$bg"
exit_is 0 "and goes through"
no_leftovers "nothing goes on"
done_testing
