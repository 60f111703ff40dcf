#!/usr/bin/env bash
# What earlier versions wrote is opened, shown and gone on with as they did it themselves: homes and
# repositories of every kind of loop (a prompt file and a command, tickets, a graph, a todo list, workers of
# swarm's), crashed in the middle of their work, paused and ended.  tests/state/make made them.
#
# A scene "crashed" is also what a copy of a home has that was made while its loop ran: its processes were
# stopped and killed all at once, nothing was tidied up, and the copy is opened in another boot.  Loops that still
# run are met by keeper.t, where the supervisor of today adopts the keeper of an earlier version.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "nothing may be mounted here"
# shellcheck source=tests/state/scene.sh
. "$root/tests/state/scene.sh"
mount -t tmpfs none /mnt

for scene in "$scenes"/*.tar.xz; do
	scene=$(basename "$scene" .tar.xz)
	scene_unpack "$scene"
	if scene_tell >"$T/told" && diff -u "$scenes/$scene.txt" "$T/told" >"$T/difference"; then
		pass "$scene"
	else
		fail "$scene" "$(cat "$T/difference")"
	fi
done
no_leftovers "nothing goes on"
done_testing
