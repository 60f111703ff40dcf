#!/usr/bin/env bash
# swarm interrupt presses Ctrl-C; so does ralph interrupt.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" interrupt
exit_is 1 "a name is needed"
is "$err" "swarm: error: worker name required when not using --all" "or --all"
run "$SWARM" interrupt nobody
is "$status $err" "1 swarm: error: worker 'nobody' not found" "it must be somebody's"
run "$SWARM" interrupt --all
is "$status$out$err" "0" "nobody runs: nothing to say"

# shellcheck disable=SC2016 # the agent's shell expands it
shell='trap "touch hit.$RALPH_LOOP; exit 0" INT; echo ready; while :; do sleep 0.05; done'
start() {
	"${loop[@]}" "$1" --detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- bash -c "$shell" >"$1.out"
	wait_for 20 is_ready "$1"
}
is_ready() {
	[[ $("$SWARM" peek "$1" 2>/dev/null) == ready ]]
}
start one
start two
"${loop[@]}" piped --detach --max-iterations 1 -- "$AGENT" -e 'wait-file go' >piped.out
wait_for 20 field_is piped '.sessions[0].pid != null' true
run "$RALPH" interrupt one
is "$status $out" "0 interrupted one" "by name"
wait_for 20 test -e hit.one && pass "it has got it"
run "$SWARM" wait --timeout 90 one
start three
run "$SWARM" interrupt --all
exit_is 0 "everybody"
is "$out" "interrupted two
interrupted three" "who runs and has a terminal"
wait_for 20 test -e hit.two && wait_for 20 test -e hit.three && pass "they have got it"
run "$SWARM" interrupt piped
is "$status $err" "1 swarm: error: worker 'piped' is not a tmux worker" "one without a terminal"
run "$SWARM" wait --timeout 90 two
run "$SWARM" interrupt two
is "$status $err" "1 swarm: error: worker 'two' is not running" "one that has ended"
touch go
run "$SWARM" wait --timeout 90 --all
no_leftovers "nothing goes on"
done_testing
