#!/usr/bin/env bash
# ralph wait and swarm wait say on stderr that a loop is paused, once for each pause, and wait on.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
count starts
when-iteration 1 wait-file go1
when-iteration 2 wait-file go2
SCRIPT
"${loop[@]}" agent --detach --max-iterations 3 -- "$AGENT" agent.txt >agent.out
wait_for 30 test -s starts
run_bg "$RALPH" wait agent
ralphs=$bg
run_bg "$SWARM" wait agent
swarms=$bg

says() { # PROGRAM: what it says of the pause
	echo "${1##*/}: warning: worker 'agent' is paused, which is no end; go on with: ${2:-}ralph resume agent"
}
times() { # PID COUNT
	[[ $(grep -c 'is paused' "$T/bg.$1.err") -eq $2 ]]
}
"$RALPH" pause agent >said
wait_for 30 times "$ralphs" 1
wait_for 30 times "$swarms" 1
is "$(cat "$T/bg.$ralphs.err")" "$(says "$RALPH")" "ralph wait says that the loop was paused, and how to go on"
is "$(cat "$T/bg.$swarms.err")" "$(says "$SWARM" "swarm ")" "swarm wait, too"
touch go1
wait_for 30 field_is agent '.sessions | length' 0
run "$RALPH" wait --timeout 0 agent
is "$status $err" "124 $(says "$RALPH")
ralph: error: agent: still paused (timeout)" "a loop that is paused already is told, too, and waited for"
sleeps() { awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$1/status"; }
has_slept() { # PID COUNT: it waits, and has been awake since COUNT
	[[ $(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status") == S* && $(sleeps "$1") -gt $2 ]]
}
before=("$(sleeps "$ralphs")" "$(sleeps "$swarms")")
"$RALPH" resume agent >said
second() { [[ $(wc -l <starts) -eq 2 ]]; }
wait_for 30 second
wait_for 30 field_is agent '.sessions[0].pid != null' true
ok "said once" times "$ralphs" 1
# Both have seen that the loop goes on: a pause that they never saw the end of is one.
wait_for 30 has_slept "$ralphs" "${before[0]}"
wait_for 30 has_slept "$swarms" "${before[1]}"
"$RALPH" pause agent >said
wait_for 30 times "$ralphs" 2
wait_for 30 times "$swarms" 2
touch go2
wait_for 30 field_is agent '.sessions | length' 0
"$RALPH" resume agent >said
end_bg 60 "$ralphs"
is "$status $out" "0 agent: complete (max_iterations)" "it waits for the end all the same"
is "$(grep -c 'is paused' <<<"$err")" 2 "and has told of both pauses, once each"
end_bg 60 "$swarms"
is "$status $out" "0 agent: exited" "so does swarm wait"
is "$(grep -c 'is paused' <<<"$err")" 2 "with the same words"
no_leftovers "nothing goes on"
done_testing
