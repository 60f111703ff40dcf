#!/usr/bin/env bash
# More than fifty iterations are allowed, with a warning.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
warning='warning: high iteration count (>50) may consume significant resources'
quick=(--done-pattern ready -- "$AGENT" -e 'println ready')
run "${loop[@]}" a --max-iterations 50 "${quick[@]}"
is "$err" "" "50 are fine"
run "${loop[@]}" b --max-iterations 51 "${quick[@]}"
exit_is 0 "51 are accepted"
is "$err" "ralph: $warning" "with a warning"
run "${loop[@]}" c --max-iterations unlimited "${quick[@]}"
is "$err" "ralph: $warning" "which \"unlimited\" gets, too"
like "$out" 'starting iteration 1/unlimited' "and it is shown as such"
ln -s "$RALPH" looper
run ./looper run --prompt-file prompt --name d --max-iterations 100 "${quick[@]}"
is "$err" "looper: $warning" "it carries the name the program was called by"
no_leftovers "nothing goes on"
done_testing
