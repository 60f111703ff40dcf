#!/usr/bin/env bash
# ralph stop of a loop that crashed in its last iteration, agent and all: there is nothing to stop, it comes to
# its own end, and how that was is said.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent <<'END'
#!/bin/sh
keeper=$PPID
supervisor=$(sed 's/^.*) //' "/proc/$keeper/stat" | cut -d ' ' -f 2)
echo "$keeper $$" >pids
kill -KILL "$supervisor" "$keeper"
END
chmod +x agent
crashes() { # NAME OPTION...
	run_bg "${loop[@]}" "$@" -- ./agent
	end_bg 20 "$bg"
	exit_is 137 "(it was killed)"
	# shellcheck disable=SC2046
	wait_for 20 gone $(cat pids)
}
crashes last --max-iterations 1
run "$RALPH" stop last
exit_is 0 "it is over, as was asked for"
is "$out" "" "nothing was stopped"
is "$err" "ralph: warning: worker 'last' had nothing left to do and ended by itself: failed (some_failed)" "how it ended is said"
is "$(field last '[.status, .exit_reason] | join(" ")')" "failed some_failed" "and written down"
run "$RALPH" stop last
is "$status $err" "0 ralph: warning: worker 'last' is not running (failed)" "to stop it again is no error"

crashes other --max-iterations 1
run "$SWARM" kill other
is "$status $out" "0 " "swarm kill killed nothing, either"
is "$err" "swarm: warning: worker 'other' had nothing left to do and ended by itself: failed (some_failed)" "and says how it ended"

crashes more --max-iterations 2
run "$RALPH" stop more
is "$status $out" "0 stopped ralph loop for more" "one with more to do is stopped"
no_leftovers "nothing goes on"
done_testing
