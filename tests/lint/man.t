#!/usr/bin/env bash
# The manual pages are well-formed mdoc.
. "$(dirname "$0")/../cli/lib.sh"

pages=("$root"/doc/man/*.[1-9])
[[ -e ${pages[0]} ]] || skip_all "there are no manual pages yet"
for page in "${pages[@]}"; do
	run mandoc -T lint -W warning "$page"
	exit_is 0 "$(basename "$page")"
done
done_testing
