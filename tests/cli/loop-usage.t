#!/usr/bin/env bash
# Wrong command lines are refused with exit 2, before anything is written.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
commit_tickets
before=$(find .tf .git -type f -exec sha256sum {} + | sort)
refused() {
	run "$RALPH" loop "$@" -- "$T/worker" '{ticket}' '{file}'
	exit_is 2 "ralph loop $*"
	is "$out" "" "promises nothing"
}
for value in 0 -1 x 1x '' 99999999999999999999 1.5; do
	refused --max "$value"
	refused --max-iterations "$value"
	refused --parallel "$value"
done
refused --parallel 65
refused --no-such-flag
refused --worktree sometimes
refused --untagged maybe
refused --timeout soon
refused --timeout 0
refused operand
run "$RALPH" loop --max-iterations
exit_is 2 "a value is missing"
run "$RALPH" loop --parrallel 2
like "$err" "--parallel" "a near miss is told what is near"
is "$(find .tf .git -type f -exec sha256sum {} + | sort)" "$before" "nothing was written"
is "$(starts)" 0 "nothing was started"
done_testing
