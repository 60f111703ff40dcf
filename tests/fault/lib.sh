# lib.sh - what a test of faults starts with.
# shellcheck shell=bash
#
#	sweep KIND/ROLE FAULT...    a check for each fault, made of many lives (tests/fault/sweep.c): at
#	                            every point with FULL=1, otherwise at a random part of them, for a moment
#	sample KIND/ROLE FAULT...   the same, but a part of them with FULL=1, too
#
# FULL=1                          as ./test --long has it
# SWEEP_SEED=N                    the same part again
# SWEEP=KIND/ROLE/FAULT@POINT     only that one, only there
# SWEEP_TABLE=FILE                gets a line for each sweep
#
# The environment is cleaned, but arguments survive.
[[ -n ${RALPH_TEST:-} ]] || set -- "${FULL:+full}" "${SWEEP_SEED:-$RANDOM}" "${SWEEP:-}" "${SWEEP_TABLE:-}"
full=${1:-} sweep_seed=${2:-1} sweep_only=${3:-} sweep_table=${4:-}
# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# What all sweeps of ./test take together is about a minute of two processors: so long for each, and so
# many points however slow the machine is.
sweep_ms=1000
sweep_least=2
sample_least=12

# sweep_one KIND/ROLE/FAULT HOW...
sweep_one() {
	local said name=$1 dir=$T/sweep
	shift
	if [[ -n $sweep_only ]]; then
		[[ ${sweep_only%@*} == "$name" ]] || return 0
		set -- at "${sweep_only##*@}"
	fi
	mkdir "$dir"
	if said=$(SWEEP_FILE=fault/$(basename "$0" .t) SWEEP_TABLE=$sweep_table \
		"$(dirname "$AGENT")/../fault/sweep" "$dir" "$name" "$@"); then
		pass "$said"
	else
		fail "${said%%$'\n'*}" "${said#*$'\n'}"
	fi
	rm -rf "$dir"
}

sweep() {
	local fault who=$1
	shift
	for fault; do
		if [[ -n $full ]]; then
			sweep_one "$who/$fault" all
		else
			sweep_one "$who/$fault" part "$sweep_seed" "$sweep_least" "$sweep_ms"
		fi
	done
}

sample() {
	local fault who=$1 least=1
	shift
	[[ -z $full ]] || least=$sample_least
	for fault; do
		sweep_one "$who/$fault" part "$sweep_seed" "$least" 0
	done
}
