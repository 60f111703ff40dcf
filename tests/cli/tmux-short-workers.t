#!/usr/bin/env bash
# A worker can be spawned at the very moment when the last one ends and takes the server along.
. "$(dirname "$0")/../cli/lib.sh"

series() {
	local i
	for i in {1..25}; do
		"$SWARM" spawn --name "$1$i" --tmux -- true >>"$1.out" 2>>"$1.err" || echo "$1$i failed" >>"$1.err"
	done
}
series a &
first=$!
series b
wait "$first"
is "$(cat a.err b.err)" "" "fifty short workers, two at a time: none fails"
is "$(cat a.out b.out | grep -c '^spawned ')" 50 "each says that it was spawned"
is "$("$SWARM" ls --format names | wc -l)" 50 "and is listed"
no_leftovers "nothing goes on"
done_testing
