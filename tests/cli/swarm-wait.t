#!/usr/bin/env bash
# swarm wait returns when workers have ended, and does not poll.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" wait
exit_is 1 "a name is needed"
is "$err" "swarm: error: name required (or use --all)" "or --all"
run "$SWARM" wait nobody
exit_is 1 "it must be somebody's"
is "$err" "swarm: error: worker 'nobody' not found" "that is said"
run "$SWARM" wait --all
is "$status$out$err" "0" "nobody to wait for: nothing to say"

for name in one two; do
	"${loop[@]}" $name --detach --max-iterations 1 -- "$AGENT" -e "wait-file $name.go" >$name.out
	wait_for 20 field_is $name '.sessions[0].pid != null' true
done
run "$SWARM" wait --timeout 0 one
exit_is 1 "a timeout of 0 looks once"
is "$out" "one: still running (timeout)" "and tells how it stands"
run "$SWARM" wait --all --timeout 1
exit_is 1 "the time is up"
is "$out" "one: still running (timeout)
two: still running (timeout)" "for each of them"

# Has it a connection to so many of them?
waits() {
	[[ $(find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l) -ge $2 ]]
}
run_bg "$SWARM" wait --all
all=$bg
run_bg "$SWARM" wait one
wait_for 20 waits "$all" 2
wait_for 20 waits "$bg" 1
touch one.go
end_bg 20 "$bg"
is "$status $out" "0 one: exited" "one has ended"
wait_for 20 said "$T/bg.$all.out" '^one: exited$' && pass "who waits for all hears of it at once"
touch two.go
end_bg 20 "$all"
is "$status $out" "0 one: exited
two: exited" "and returns with the last one"
run "$SWARM" wait one
is "$status $out" "0 one: exited" "one that has ended long ago"
run "$SWARM" wait --timeout 0 one
is "$status $out" "0 one: exited" "also when only looking"

# Without a supervisor there is still the agent.
"${loop[@]}" left --detach --max-iterations 1 -- "$AGENT" -e 'wait-file left.go' >left.out
wait_for 20 field_is left '.sessions[0].pid != null' true
crash "$(supervisor_of left)"
run_bg env ASAN_OPTIONS=detect_leaks=0 strace -o trace "$SWARM" wait left
wait_for 20 said trace '^poll\(.*, -1' && pass "it sleeps, without a time to wake up"
touch left.go
end_bg 20 "$bg"
is "$status $out" "0 left: exited" "an agent that its supervisor left"
"$RALPH" stop left >stopped
no_leftovers "nothing goes on"
done_testing
