#!/usr/bin/env bash
# W16: every part of the command starts, in any directory.
. "$(dirname "$0")/tickets.sh"

for words in "" init status reset lessons; do
	# shellcheck disable=SC2086 # none or one
	run "$RALPH" loop $words --help
	exit_is 0 "ralph loop $words --help"
	like "$out" "ralph loop" "tells how to use it"
done
is "$(find . -mindepth 1)" "" "help writes nothing"
new_project
for words in status lessons; do
	run "$RALPH" loop $words
	exit_is 0 "ralph loop $words"
done
done_testing
