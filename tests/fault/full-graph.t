#!/usr/bin/env bash
# A project's disk that is full under `ralph graph run`: no task can be claimed, that is said, and the
# loop goes on when there is space.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
. "$root/tests/cli/graph.sh"
mkdir repo
mount -t tmpfs -o size=1m none repo
cd repo || exit 1
git init -q .
graph_agent
tasks T-{1..3}
cat >"$T/fill" <<END
head -c 10M /dev/zero >fill
for i in \$(seq 99); do head -c 4096 /dev/zero >fill.\$i; done
END
does T-1 'ralph graph complete T-1' "sh $T/fill 2>/dev/null"
status_says() { "$RALPH" status repo-graph | grep -qE "$1"; }
run_bg "$RALPH" graph run --delay 0 -- ./agent
job=$bg
wait_for 60 status_says '^Status: running \(waiting for disk space: .*No space left on device'
like "$("$RALPH" ls | tail -n 1)" 'waiting for disk space' "ls says what it waits for"
rm -f fill*
end_bg 90 "$job"
is "$status" 0 "it goes on when there is space"
like "$out" 'all tasks complete' "until all tasks are complete"
is "$(starts T-1) $(starts T-2) $(starts T-3)" "1 1 1" "each by one agent"
cd /
no_leftovers "nothing goes on"
umount "$T/work/repo"
done_testing
