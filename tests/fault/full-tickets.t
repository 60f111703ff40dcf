#!/usr/bin/env bash
# A project's disk that is full does not fail ticket after ticket: no worktree can be made, that is
# said, and the loop goes on when there is space.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/../cli/tickets.sh"
# The file begins anew there, and makes these again.
[[ -n ${IN_NAMESPACE:-} ]] || rm -rf "${T:?}/do" "${T:?}/bin"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
mkdir "$project"
mount -t tmpfs -o size=3m none "$project"
status_says() { "$RALPH" status project-loop | grep -qE "$1"; }
fill() {
	head -c 10M /dev/zero >"$project/.git/fill" 2>/dev/null
	for ((i = 0; i < 99; i++)); do head -c 4096 /dev/zero >"$project/.git/fill.$i" 2>/dev/null; done
}

new_project
for i in 1 2 3; do ticket "pt-$i"; done
# It fills the disk behind its work.
does pt-1 'work; close_ticket; commit; after go1 "$T/go"'
work_on_bg
job=$bg
wait_for 30 grep -q 'start pt-1' "$T/log"
committed() { [[ $(git -C "$project/.tf/ralph/worktrees/pt-1" log -1 --format=%s) == 'work on pt-1' ]]; }
wait_for 30 committed
fill
echo go1 >"$T/go"
wait_for 60 status_says '^Status: running \(waiting for disk space: .*No space left on device'
like "$("$RALPH" ls | tail -n 1)" 'waiting for disk space' "ls says what it waits for"
is "$(grep -c 'FAILED' "$T/bg.$job.err")" 0 "no ticket fails because of it"
rm -f "$project"/.git/fill*
end_bg 120 "$job"
is "$status" 0 "it goes on when there is space"
is "$(starts)" 3 "each ticket has had one worker"
ok "the first is on the branch" has main out/pt-1
ok "and the last" has main out/pt-3
cd /
no_leftovers "nothing goes on"
umount "$project"
done_testing
