#!/usr/bin/env bash
# Every fuzzer takes its corpus, then the same inputs in every run, and finds nothing.  With
# FULL=1 in the environment (./test --long) it takes new inputs for a minute; the seed is shown.
# More: build/fuzz/tests/fuzz/fuzz_term -max_total_time=600 NEW-INPUTS tests/fuzz/corpus/term
[[ -n ${RALPH_TEST:-} ]] || set -- "${FULL:+full}"
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

# Inputs beyond the corpus: a few seconds of a machine that has nothing else to do.  A number,
# not a time: a busy machine takes longer for the same.
declare -A slow=([lines]=1500 [project]=2000)
if [[ ${1:-} == full ]]; then
	seed=$((RANDOM << 15 | RANDOM))
	share="new inputs, seed $seed"
else
	seed=1
	share="the same inputs as ever"
fi

# Found inputs stay in build/ for a closer look.
fuzz() {
	local corpus=$root/tests/fuzz/corpus/$1 findings=$root/build/fuzz/findings much
	much=-runs=$((${slow[$1]:-15000} + $(find "$corpus" -type f 2>/dev/null | wc -l)))
	[[ $seed == 1 ]] || much=-max_total_time=60
	mkdir -p "$T/new.$1" "$findings"
	set -- "$1" "$T/new.$1"
	[[ ! -d $corpus ]] || set -- "$@" "$corpus"
	"$root/build/fuzz/tests/fuzz/fuzz_$1" -seed="$seed" "$much" -timeout=60 -rss_limit_mb=1024 \
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
			pass "fuzz_$name, $(sed -n "s/^Done \([0-9]*\) runs.*/\1/p" "$T/$name.log") inputs ($share)"
		else
			fail "fuzz_$name ($share)" "$(tail -n 40 "$T/$name.log")"
		fi
		pids=("${pids[@]:1}")
	done
done
