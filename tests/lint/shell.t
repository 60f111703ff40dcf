#!/usr/bin/env bash
# Our scripts pass shellcheck.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

cd "$root" || exit 1
mapfile -t files < <(
	find . \( -path ./build -o -path ./.git \) -prune -o -type f -print0 |
		xargs -0 grep -lIE -m 1 '^(#!.*[/ ](ba|da)?sh\b|# shellcheck shell=)' | sort
)
run shellcheck --external-sources --source-path=SCRIPTDIR "${files[@]}"
exit_is 0 "shellcheck is content with ${#files[@]} scripts"
