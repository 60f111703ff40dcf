#!/usr/bin/env bash
# swarm peek shows the last lines of a worker's terminal; so does ralph peek.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" peek
exit_is 1 "a name is needed"
is "$err" "swarm: error: worker name required (or use --all)" "or --all"
run "$SWARM" peek nobody
exit_is 2 "a worker that is not there"
is "$err" "swarm: error: worker 'nobody' not found" "is said"
run "$SWARM" peek --all
is "$status$out$err" "0" "nobody at all: nothing to say"

shows() {
	"$SWARM" peek "$1" | grep -qx "$2"
}
for name in one two; do
	"${loop[@]}" $name --detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- \
		"$AGENT" -e "sh seq -f '$name %g' 1 100; wait-file go.$name" >$name.out
	wait_for 20 shows $name "$name 100"
done
"${loop[@]}" piped --max-iterations 1 -- "$AGENT" -e 'println x' >piped.out
run "$SWARM" peek one
exit_is 0 "of a worker that runs"
is "$out" "$(seq -f 'one %g' 71 100)" "the last 30 lines"
run "$SWARM" peek -n 3 one
is "$out" "one 98
one 99
one 100" "or so many"
run "$SWARM" peek --lines 80 one
is "$out" "$(seq -f 'one %g' 21 100)" "also more than a screen has"
run "$RALPH" peek -n 1 two
is "$status $out" "0 two 100" "ralph peek is the same"
run "$SWARM" peek -n 1 --all
is "$out" "=== one ===
one 100

=== two ===
two 100" "all that run, each under its name"
run "$SWARM" peek piped
exit_is 1 "a worker without a terminal"
is "$err" "swarm: error: worker 'piped' is not a tmux worker" "cannot be looked at"
touch go.one
run "$SWARM" wait one
run "$SWARM" peek -n 2 one
is "$status $out" "0 one 99
one 100" "one that has ended still can"
run "$SWARM" peek -n 1 --all
is "$out" "=== two ===
two 100" "but is not among all"
run "$SWARM" peek -n 0 two
exit_is 2 "no lines at all is a usage error"
touch go.two
run "$SWARM" wait two
no_leftovers "nothing goes on"
done_testing
