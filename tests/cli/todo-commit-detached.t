#!/usr/bin/env bash
# A commit where nobody would look for it: in the midst of a bisect it waits; on a detached HEAD it is made,
# and said at the start and at the end.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
echo two >>README.md && git commit -qam second
echo three >>README.md && git commit -qam third
worker <<'END'
case $KIND in task) echo "$TASK" >"$TASK.txt"; ralph done --summary "did $TASK" ;; esac
END
branch=$(git symbolic-ref --short HEAD)
git bisect start -q HEAD HEAD~2 >/dev/null
todo
exit_is 14 "while a bisect is under way, nothing is committed"
like "$out" 'T001: not committed: a bisect is under way' "and it is said"
is "$(git log HEAD "$branch" --format=%s | grep T001)" "" "nowhere"
git bisect reset >/dev/null 2>&1
todo
exit_is 0 "when it is over, it is"
is "$(git log -1 --format=%s "$branch")" "T001: did T001" "on the branch"
unlike "$out$err" 'detached' "of which nothing has to be said"

list '- [ ] T002: Two' '- [ ] T003: Three'
git checkout -q --detach
todo
exit_is 0 "on a detached HEAD it is made"
is "$(grep -c 'HEAD is detached: what is committed is on no branch' <<<"$err")" 1 "that is said once when the first task begins"
like "$(tail -n 1 <<<"$out")" 'HEAD is detached: what was committed is on no branch .*git branch NAME' "and at the end"
is "$(git log -2 --format=%s | xargs)" "T003: did T003 T002: did T002" "the commits are there"
is "$(git log -1 --format=%s "$branch")" "T001: did T001" "and the branch is where it was"
no_leftovers "nothing goes on"
done_testing
