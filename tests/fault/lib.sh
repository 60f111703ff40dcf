# lib.sh - what a test of faults starts with; FULL=1 in the environment visits every point
# everywhere.
# shellcheck shell=bash
# The environment is cleaned, but arguments survive.
[[ -n ${RALPH_TEST:-} ]] || set -- "${FULL:+full}"
full=${1:-}
# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# sweep SCENARIO [STRIDE]: one check, made of many lives (tests/fault/sweep.c).
sweep() {
	local said stride=${2:-1}
	[[ -z $full ]] || stride=1
	mkdir "$T/$1"
	if said=$("$(dirname "$AGENT")/../fault/sweep" "$T/$1" "$1" "$stride"); then
		pass "$said"
	else
		fail "${said%%$'\n'*}" "${said#*$'\n'}"
	fi
	rm -rf "${T:?}/$1"
}
