#!/usr/bin/env bash
# A loop is killed when its agent has done a ticket, but the work has not landed: it lands with that loop, and a loop in
# another worktree does not do it again.
. "$(dirname "$0")/tickets.sh"

new_project
git add . && git commit -qm project
git worktree add -q -b other "$T/work/other"
ticket pt-1
ticket pt-2 priority=3
# shellcheck disable=SC2016 # for the worker
does pt-1 'work "by $RALPH_WORKTREE"; close_ticket; commit'
commit_tickets
git -C "$T/work/other" merge -q --ff-only main
cat >"$T/check" <<'SCRIPT'
#!/bin/bash
[[ -e $T/go ]] || { touch "$T/checks"; exec sleep 600; }
SCRIPT
chmod +x "$T/check"
run_bg "$RALPH" loop --parallel 1 --verify "$T/check" -- "$T/worker" '{ticket}' '{file}'
wait_for 30 test -e "$T/checks"
crash "$bg"
: >"$T/go"

cd "$T/work/other" || exit 1
run "$RALPH" loop --base main -- "$T/worker" '{ticket}' '{file}'
exit_is 12 "the second loop does what it can"
is "$(starts pt-1) $(starts pt-2)" "1 1" "and nothing that is done"
like "$err" "pt-1 is done, but the loop that did it died before it landed \\(pid $bg \\(which is gone\\), $project, since" "it says whose that is"
unlike "$out" "$sigil" "and does not call it complete"

cd "$project" || exit 1
run "$RALPH" loop
exit_is 0 "the first one goes on"
is "$(git show main:out/pt-1)" "by $project/.tf/ralph/worktrees/pt-1" "and lands its work"
is "$(summary Completed)" "1 (pt-1)" "which is said once"
cd "$T/work/other" && git merge -q main
run "$RALPH" loop --base main -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "then the second is complete"
is "$(starts pt-1)" 1 "it was done once"
done_testing
