#!/usr/bin/env bash
# What Style in CONTRIBUTING.md says, as far as grep can tell and no other tool does.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

cd "$root" || exit 1
is "$(grep -rnE '\(long long\)|%ll[du]' src --include='*.[ch]')" "" "numbers are printed with PRId64"
