#!/usr/bin/env bash
# The program is there and says what it is.
. "$(dirname "$0")/../cli/lib.sh"
plan 3

run "$RALPH" --version
exit_is 0 "--version succeeds"
like "$out" '^ralph [0-9]+\.[0-9]+' "and names the program and its version"
is "$err" "" "and says nothing else"
