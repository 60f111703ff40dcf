#!/usr/bin/env bash
# The agents of an earlier version go on under the supervisor of today: its keepers are adopted.  No program of that
# version is here; what its keeper said on its socket is (tests/state/keeper/make recorded that, with the tree of commit
# 61faf7a), and is said again by a keeper made for it.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "nothing may be mounted here"
# shellcheck source=tests/state/scene.sh
. "$root/tests/state/scene.sh"
mount -t tmpfs none /mnt
keeper=$scenes/keeper
# Everywhere another boot than that of the recording, also where it was made.
cat /proc/sys/kernel/random/uuid >"$T/boot_id"
mount --bind "$T/boot_id" /proc/sys/kernel/random/boot_id

scene_unpack keeper/home
session=$(echo "$RALPH_HOME"/loops/demo/sessions/*-1)
perl "$keeper/keeper.pl" replay "$session" "$keeper/frames" "$keeper/exit.json" &
pid=$!
wait_for 20 test -S "$session/sock"
ralph resume demo >"$T/said"
wait_for 20 test -e "$session/greeted"
pass "recorded frames of a keeper of 61faf7a, replayed: its greeting is taken"
wait_for 20 field_is demo '.sessions | length' 1
not_ok "the agent is taken for one that works" test -e "$session/exit.json"
wait_for 20 grep -q '"signal":"done"' "$RALPH_HOME/loops/demo/journal.jsonl"
pass "recorded frames of a keeper of 61faf7a, replayed: its signal is in the journal"
: >"$session/go"
run ralph wait demo
exit_is 0 "recorded frames of a keeper of 61faf7a, replayed: its end is the end of the iteration"
ralph status --json demo >"$T/status"
is "$(jq -r '[.status, .exit_reason, .iteration] | map(tostring) | join(" ")' "$T/status")" "stopped done_pattern 1" \
	"and of the loop, as its signal says"
wait $pid
is $? 0 "the keeper was spoken to as one of that version is"
no_leftovers "nothing goes on"
done_testing
