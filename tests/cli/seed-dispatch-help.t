#!/usr/bin/env bash
# --help, wherever it stands, prints usage and flags; nothing is checked, begun or written.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
commit_tickets
everything() { find . "$T/home" -printf '%p %y %s %T@ %i\n' | sort; }
everything >"$T/before"
for words in --help '--parallel 2 --help' '--help --max-iterations 3' '--dry-run --help'; do
	# shellcheck disable=SC2086 # several words
	run "$RALPH" loop $words
	exit_is 0 "ralph loop $words"
	like "$out" 'ralph loop \[options\]' "prints the usage"
	for flag in max-iterations parallel dry-run no-worktree; do
		like "$out" $'\n'" +(-[a-z], )?--$flag" "and the flag --$flag"
	done
done
like "$out" "--max-iterations[^"$'\n'"]*"$'\n'?"[^-]*50" "with its default"
is "$(everything | diff "$T/before" -)" "" "nothing is written"
is "$(starts)" 0 "nothing is started"
done_testing
