#!/usr/bin/env bash
# What Style in CONTRIBUTING.md says, as far as grep can tell and no other tool does.
. "$(dirname "$0")/../cli/lib.sh"
plan 2

cd "$root" || exit 1
is "$(grep -rnE '\(long long\)|%ll[du]' src --include='*.[ch]')" "" "numbers are printed with PRId64"

# A banner has its title in front, so that clang-format leaves it alone whatever the title is.
banner='/\* -{4} [^ -].* -{4,} \*/'
is "$(grep -rnE '^[[:space:]]*(/\*|\*).*-{4,}' src tests --include='*.[ch]' | grep -vE ":[[:space:]]*$banner\$")" "" \
	"banners are /* ---- title ---- */"
