#!/usr/bin/env bash
# clean --all spares every loop that `ralph resume` takes, however it ended: one rule for both.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt

run "${loop[@]}" failing --max-iterations 9 --max-failures 1 -- "$AGENT" -e 'exit 1'
exit_is 1 "one ends by its failures"
run "${loop[@]}" late --max-iterations 9 --max-runtime 1s --grace 1s -- "$AGENT" -e 'hang'
exit_is 10 "one is out of time"
run "${loop[@]}" used --max-iterations 1 -- "$AGENT" -e 'exit 1'
exit_is 11 "one has used its iterations"
run "${loop[@]}" complete --max-iterations 1 -- "$AGENT" -e 'println done'
exit_is 0 "one is complete"

run "$RALPH" clean --all --dry-run
is "$(grep -o '^would clean .*' <<<"$out" | sort | xargs)" "would clean complete would clean used" \
	"what resume does not take would go"
like "$err" 'spared what can go on: failing, late ' "what it takes is spared, and named"
run "$RALPH" clean --all
is "$("$RALPH" ls --format names | sort | xargs)" "failing late" "and stays"

# They are what they were spared for.
for name in failing late; do
	run "$RALPH" resume --foreground "$name"
	unlike "$err" 'is not paused' "ralph resume takes $name"
done
is "$(field failing '.iteration > 1')" true "which runs more iterations"
run "$RALPH" clean failing
is "$status$out" "0cleaned failing" "by its name it is cleaned"
no_leftovers "nothing goes on"
done_testing
