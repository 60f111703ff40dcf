#!/usr/bin/env bash
# The rooms of the house include only what they may; doc/ARCHITECTURE.md tells why.
. "$(dirname "$0")/../cli/lib.sh"

cd "$root/src" || exit 1

# Prints the includes of a room's files that do not match the expression.
strangers() {
	find "$1" -name '*.[ch]' -print0 | sort -z |
		xargs -0 -r grep -nHoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' |
		grep -vE "\"($2)\"\$"
}

any='[a-z/_]+\.h'
declare -A may=(
	[base]="base/$any"
	[loop]="loop/$any|base/(compiler|when|exit)\.h"
	[source]="source/$any|loop/$any|base/$any"
	[land]="land/$any|loop/$any|base/$any"
	[record]="record/$any|loop/$any|base/$any"
	[term]="term/$any|loop/$any|base/$any"
	[watch]="watch/$any|loop/$any|base/$any"
	[session]="session/$any|term/$any|watch/$any|loop/$any|base/$any"
	[desktop]="desktop/$any|loop/$any|base/$any"
	[cmd]="$any"
	[main.c]="cmd/$any|base/$any"
)
for room in *; do
	[[ -d $room || $room == *.[ch] ]] || continue
	if [[ -z ${may[$room]:-} ]]; then
		fail "src/$room is a room we know"
		continue
	fi
	is "$(strangers "$room" "${may[$room]}")" "" "src/$room includes what it may"
done
done_testing
