#!/usr/bin/env bash
# A project that is not initialised: the documented sentence, then our command; exit 1.
. "$(dirname "$0")/tickets.sh"
plan 6

mkdir "$project" && cd "$project" || exit 1
run "$RALPH" loop
exit_is 1 "in a directory without .tf/ralph"
is "${err%%$'\n'*}" "Error: Ralph not initialized. Run: tf ralph init" "the documented sentence"
like "$err" 'ralph loop init' "then what to type here"
is "$out" "" "no promise"
run "$RALPH" loop --dry-run
exit_is 1 "the same for a dry run"
is "$(find . -mindepth 1)" "" "nothing was written"
