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
plan $((${#names[@]} + 2))

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

# A seed alone does not give the same inputs: a fuzzer reads its corpus in the directory's order,
# takes values from comparisons (of addresses, too), and reads again what it found once a second.
# Found inputs stay in build/ for a closer look.
# usage: fuzz LOG NAME, RUNS beyond the corpus
fuzz() {
	local log=$1 name=$2 runs=$3 corpus=$root/tests/fuzz/corpus/$2 findings=$root/build/fuzz/findings
	local files=() how
	[[ ! -d $corpus ]] || mapfile -t files < <(find "$corpus" -type f | LC_ALL=C sort)
	how=("-runs=$((runs + ${#files[@]}))" -use_cmp=0 -reload=0)
	[[ $seed == 1 ]] || how=(-max_total_time=60)
	mkdir -p "$T/new.$log" "$findings"
	(
		IFS=,
		printf %s "${files[*]}" >"$T/corpus.$log"
	)
	"$root/build/fuzz/tests/fuzz/fuzz_$name" -seed="$seed" "${how[@]}" -timeout=60 \
		-rss_limit_mb=1024 -artifact_prefix="$findings/$name-" -seed_inputs="@$T/corpus.$log" \
		"$T/new.$log" </dev/null >"$T/$log.log" 2>&1
}

# What a fuzzer tells of its inputs, without times and sizes of the machine.
told() {
	sed -n -E '/^#[0-9]+\t/ { s/(exec\/s|rss): [^ ]+//g; p; }' "$T/$1.log" |
		grep -v -E '^#[0-9]+[[:space:]]+(pulse|DONE)'
}

same_inputs() {
	local seed=1
	fuzz once todo 3000 && fuzz twice todo 3000 &&
		[[ $(told once | wc -l) -gt 50 ]] && diff <(told once) <(told twice)
}
ok "two runs take the same inputs in the same order" same_inputs

for ((i = 0; i < ${#names[@]}; i += 2)); do
	pids=()
	for name in "${names[@]:i:2}"; do
		fuzz "$name" "$name" "${slow[$name]:-15000}" &
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
