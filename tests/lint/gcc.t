#!/usr/bin/env bash
# Everything compiles without a warning, optimised, with gcc.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
ok "gcc has nothing to warn about" build_strict_gcc all
