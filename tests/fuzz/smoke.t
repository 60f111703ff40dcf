#!/usr/bin/env bash
# Every parser of foreign bytes takes its corpus, then the same inputs in every run, and nothing is
# found.  With FULL=1 in the environment (./test --long) fuzzers that learn take new inputs for a
# minute each; the seed is shown.
# More: build/fuzz/tests/fuzz/fuzz_term -max_total_time=600 NEW-INPUTS tests/fuzz/corpus/term
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"

names=()
for source in "$root"/tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	names+=("${name#fuzz_}")
done
# Findings of a fuzzer are its own to show, not reports about a test.
export ASAN_OPTIONS=abort_on_error=1
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
# Found inputs stay in build/ for a closer look.
findings=$root/build/findings
mkdir -p "$findings"

# Inputs beyond the corpus: a few seconds of a machine that has nothing else to do.
declare -A fewer=([pattern]=2000 [done]=3000 [project]=6000 [registry]=6000 [control]=10000 [wire]=10000)
steady() {
	local corpus
	mapfile -t corpus < <(find "$root/tests/fuzz/corpus/$1" -type f | LC_ALL=C sort)
	"$(dirname "$AGENT")/../fuzz/steady_$1" "${fewer[$1]:-15000}" "$findings/steady-$1" \
		"${corpus[@]}" </dev/null >"$T/$1.log" 2>&1
}

seed=$((RANDOM << 15 | RANDOM))
learn() {
	mkdir -p "$T/new.$1"
	"$root/build/fuzz/tests/fuzz/fuzz_$1" -seed="$seed" -max_total_time=60 -timeout=60 \
		-rss_limit_mb=1024 -artifact_prefix="$findings/$1-" "$T/new.$1" \
		"$root/tests/fuzz/corpus/$1" </dev/null >"$T/$1.log" 2>&1 &&
		sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$T/$1.log" >"$T/$1.count" &&
		mv "$T/$1.count" "$T/$1.log"
}

if [[ -z ${FULL:-} ]]; then
	plan ${#names[@]}
	how=steady
	share="the same inputs as ever"
else
	plan $((${#names[@]} + 1))
	how=learn
	share="new inputs, seed $seed"
	ok "the fuzzers build" build_fuzzers "${names[@]/#/tests/fuzz/fuzz_}"
fi
for ((i = 0; i < ${#names[@]}; i += 2)); do
	pids=()
	for name in "${names[@]:i:2}"; do
		$how "$name" &
		pids+=($!)
	done
	for name in "${names[@]:i:2}"; do
		if wait "${pids[0]}"; then
			pass "$name, $(tail -n 1 "$T/$name.log") inputs ($share)"
		else
			fail "$name ($share)" "$(tail -n 40 "$T/$name.log")"
		fi
		pids=("${pids[@]:1}")
	done
done
