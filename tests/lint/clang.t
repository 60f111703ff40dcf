#!/usr/bin/env bash
# Everything compiles without a warning, with clang.
. "$(dirname "$0")/../cli/lib.sh"
plan 1

# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
ok "clang has nothing to warn about" build_strict_clang all
