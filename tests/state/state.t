#!/usr/bin/env bash
# What earlier versions wrote is opened, shown and gone on with as they did it themselves: homes and
# repositories of every kind of loop, in the middle of their work, paused, crashed and ended.
# tests/state/make made them.
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
