#!/usr/bin/env bash
# The loop is pure: the only functions it calls move and compare memory.
. "$(dirname "$0")/../cli/lib.sh"
plan 2

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
ok "the optimised program builds" build_release
library=$root/build/src/loop/libloop.a
# bug_fn: BUG() and ENSURE(), the end of a program that is wrong.
pure='mem(cpy|set|move|cmp|chr)|str(cmp|ncmp|cspn|len|nlen|chr)|v?snprintf'
pure="$pure|__(mem[a-z]+|v?snprintf)_chk|__stack_chk_fail|bug_fn"
nm --defined-only --format=posix "$library" | awk 'NF > 1 { print $1 }' | sort -u >"$T/defined"
nm --undefined-only --format=posix "$library" | awk 'NF > 1 { print $1 }' | sort -u >"$T/wanted"
is "$(comm -13 "$T/defined" "$T/wanted" | grep -vxE "$pure")" "" "it calls nothing that reaches outside"
