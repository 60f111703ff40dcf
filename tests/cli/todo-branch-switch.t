#!/usr/bin/env bash
# Somebody switches branches in mid-run: the commits follow HEAD, and each switch is said once, with both names.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three' '- [ ] T004: Four' '- [ ] T005: Five'
git branch other
worker <<'END'
case $KIND in
task)
	echo "$TASK" >"$TASK.txt"
	case $TASK in T002) git checkout -q other ;; T004) git checkout -q --detach ;; esac
	ralph done --summary "did $TASK"
	;;
esac
END
todo
exit_is 0 "all tasks are done"
is "$(grep -c 'HEAD was on ' <<<"$err")" 2 "two switches are said, once each"
like "$err" "warning: $name: HEAD was on branch main and is on branch other now: commits go there" "from branch to branch"
like "$err" "HEAD was on branch other and is on no branch now: commits go there" "and off them"
is "$(git log --format=%s main | xargs)" "T001: did T001 first" "what was committed before is on the first branch"
is "$(git log --format=%s other | xargs)" "T003: did T003 T002: did T002 first" "then on the other"
is "$(git log --format=%s other..HEAD | xargs)" "T005: did T005 T004: did T004" "and last on none"
like "$(tail -n 1 <<<"$out")" 'HEAD is detached: what was committed is on no branch' "which the end says again"

git checkout -q main
list '- [ ] T006: Six'
todo
exit_is 0 "a run on one branch"
unlike "$err" 'HEAD was on' "has nothing to say of that"
no_leftovers "nothing goes on"
done_testing
