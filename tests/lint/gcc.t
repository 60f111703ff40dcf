#!/usr/bin/env bash
# The program compiles without a warning, optimised, with gcc.  (The tests do with sanitizers:
# any warning ends that build.)
. "$(dirname "$0")/../cli/lib.sh"
plan 3

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
warnings=$root/build/.warnings
ok "the optimised program builds" build_release
# They may be of files that were mended since.
if [[ -s $warnings ]]; then
	rm -f "$warnings"
	ninja -C "$root/build" -t clean >/dev/null
	build_release
fi
is "$(cat "$warnings" 2>/dev/null)" "" "gcc has nothing to warn about"
# bench/run builds them, and nobody runs it for every change.
ok "the measurements compile, too" gcc -fsyntax-only -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$root/src" "$root"/bench/*.c
