#!/usr/bin/env bash
# Every fuzzer runs for a few seconds from its corpus and finds nothing.  More:
#   build/fuzz/tests/fuzz/fuzz_term -max_total_time=600 NEW-INPUTS tests/fuzz/corpus/term
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"

sources=("$root"/tests/fuzz/fuzz_*.c)
[[ -e ${sources[0]} ]] || skip_all "there are no fuzzers yet"
names=()
for source in "${sources[@]}"; do
	name=$(basename "$source" .c)
	names+=("${name#fuzz_}")
done
plan $((${#names[@]} + 1))

ok "the fuzzers build" build_fuzzers "${names[@]/#/tests/fuzz/fuzz_}"

# Findings of a fuzzer are its own to show, not reports about a test.
unset ASAN_OPTIONS
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# Found inputs stay in build/ for a closer look.
fuzz() {
	local corpus=$root/tests/fuzz/corpus/$1 findings=$root/build/fuzz/findings
	mkdir -p "$T/new.$1" "$findings"
	set -- "$1" "$T/new.$1"
	[[ ! -d $corpus ]] || set -- "$@" "$corpus"
	"$root/build/fuzz/tests/fuzz/fuzz_$1" -max_total_time=5 -timeout=5 -rss_limit_mb=1024 \
		-artifact_prefix="$findings/$1-" "${@:2}" </dev/null >"$T/$1.log" 2>&1
}

for ((i = 0; i < ${#names[@]}; i += 2)); do
	pids=()
	for name in "${names[@]:i:2}"; do
		fuzz "$name" &
		pids+=($!)
	done
	for name in "${names[@]:i:2}"; do
		if wait "${pids[0]}"; then
			pass "fuzz_$name, $(sed -n "s/^Done \([0-9]*\) runs.*/\1/p" "$T/$name.log") inputs"
		else
			fail "fuzz_$name" "$(tail -n 40 "$T/$name.log")"
		fi
		pids=("${pids[@]:1}")
	done
done
