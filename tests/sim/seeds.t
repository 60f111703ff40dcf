#!/usr/bin/env bash
# Ten thousand random lives of a loop, none of which breaks a rule; the optimised
# program lives the most of them, the one with sanitizers some.
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
plan 3

ok "the optimised simulator builds" build_strict_gcc tests/sim/sim
run "$root/build/gcc/tests/sim/sim" --seeds 10000
exit_is 0 "10000 lives"
diag "$out"
run "$root/build/asan/tests/sim/sim" --seeds 200
exit_is 0 "200 of them with sanitizers"
