#!/usr/bin/env bash
# Our scripts pass shellcheck.  It reads what a script sources anew for every script, which
# would be nine tenths of its work; so the libraries are looked at once, as they are, and the
# scripts in a copy of the tree where every library is a digest of itself.
. "$(dirname "$0")/../cli/lib.sh"
plan 2

cd "$root" || exit 1
mapfile -t files < <(
	find . \( -path ./build -o -path ./.git \) -prune -o -type f -print0 |
		xargs -0 grep -lIE -m 1 '^(#!.*[/ ](ba|da)?sh\b|# shellcheck shell=)' | sort
)
libraries=() scripts=()
for file in "${files[@]}"; do
	read -r first <"$file"
	if [[ $first == '#!'* ]]; then scripts+=("$file"); else libraries+=("$file"); fi
done

check() {
	printf '%s\0' "$@" | xargs -0 -n 40 -P 2 shellcheck --external-sources --source-path=SCRIPTDIR
}

run check "${libraries[@]}"
exit_is 0 "shellcheck is content with ${#libraries[@]} libraries"

cp --parents "${files[@]}" "$T/work"
for library in "${libraries[@]}"; do
	awk -f tests/lint/digest.awk "$library" >"$T/work/$library"
done
cd "$T/work" || exit 1
run check "${scripts[@]}"
exit_is 0 "and with ${#scripts[@]} scripts"
