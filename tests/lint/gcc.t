#!/usr/bin/env bash
# The program compiles without a warning, optimised, with gcc.  (The tests do with sanitizers:
# any warning ends that build.)
. "$(dirname "$0")/../cli/lib.sh"
plan 2

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
