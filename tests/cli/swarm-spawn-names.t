#!/usr/bin/env bash
# W5, W14: a name never leads out of the state directory.
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p "$RALPH_HOME"
for name in ../../evil .. . / a/b -x '' .hidden 'a b' 'a:b' "$(printf 'a\033[31m')"; do
	run "$SWARM" spawn "--name=$name" -- touch "$PWD/evil"
	exit_is 2 "spawn refuses the name '$name'"
	for cmd in kill clean respawn 'ralph pause' 'ralph resume' 'ralph run' 'ralph stop' 'ralph clean'; do
		# shellcheck disable=SC2086
		run "$SWARM" $cmd -- "$name"
		exit_is 1 "$cmd: '$name' names nobody"
	done
done
run "$SWARM" heartbeat stop ..
is "$out" "No active heartbeat for .." "nor is there a heartbeat"
ok "the state directory is there" test -d "$RALPH_HOME"
is "$(find "$RALPH_HOME" -name '*.json' -o -name '*.jsonl')" "" "nothing was written"
not_ok "nothing was started" test -e evil
done_testing
