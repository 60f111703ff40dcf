#!/usr/bin/env bash
# The manual pages, with their tables filled in by the program, are well-formed mdoc.
. "$(dirname "$0")/../cli/lib.sh"

for source in "$root"/doc/man/*.in; do
	page=$(basename "$source" .in)
	run "$RALPH" man "$source"
	exit_is 0 "the tables of $page are filled in"
	printf '%s\n' "$out" >"$page"
	unlike "$out" '@[a-z-]+@' "all of them"
	# Other packages' pages may not be installed here.
	run mandoc -T lint -W warning "$page"
	is "$(grep -v 'outdated mandoc.db' <<<"$out$err")" "" "$page is well-formed"
done
done_testing
