#!/usr/bin/env bash
# A hook that takes its time is not asked behind every commit about what it has refused already: only when
# that was changed, and once more before the end.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Refused' '- [ ] T002: Two' '- [ ] T003: Three' '- [ ] T004: Four' '- [ ] T005: Five'
cat >.git/hooks/pre-commit <<END
#!/bin/sh
echo "\$RALPH_TASK" >>$T/hooks
# Somebody mends it while another task is committed.
[ "\$RALPH_TASK" != T007 ] || echo mended >six.txt
! git diff --cached | grep -q '^+bad' || { echo 'nothing bad' >&2; exit 1; }
END
chmod +x .git/hooks/pre-commit
asked() { grep -cx "$1" "$T/hooks"; }
worker <<'END'
case $TASK.$KIND in
T001.task) echo bad >one.txt ;;
T006.task) echo bad >six.txt ;;
T00?.task) echo good >"$TASK.txt" ;;
esac
case $KIND in task) ralph done --summary "did $TASK" ;; esac
END
todo
exit_is 14 "one of them waits"
is "$(commits | xargs)" "T005: did T005 T004: did T004 T003: did T003 T002: did T002" "the others do not, and are committed by themselves"
is "$(asked T001)" 2 "the hook was asked when it was done, and before the end"
todo
exit_is 14 "the next run tries again"
is "$(asked T001)" 3 "once"

echo mended >one.txt
list '- [ ] T001: Refused' '- [ ] T006: Six' '- [ ] T007: Seven' '- [ ] T008: Eight' '- [ ] T009: Nine'
: >"$T/hooks"
todo
exit_is 0 "what is mended is committed"
is "$(asked T006)" 2 "as soon as a commit follows"
is "$(git log --format=%s -- six.txt)" "T006: did T006" "with what it changed"
is "$(git show HEAD:six.txt)" mended "as somebody has mended it"
no_leftovers "nothing goes on"

# A hook that looks at everything, and not only at what is to be committed.
list '- [ ] T011: Begins it' '- [ ] T012: Ends it'
cat >.git/hooks/pre-commit <<'END'
#!/bin/sh
[ ! -e begun ] || [ -e ended ] || { echo 'it must end, too' >&2; exit 1; }
END
worker <<'END'
case $TASK.$KIND in
T011.task) : >begun ;;
T012.task) : >ended ;;
esac
case $KIND in task) ralph done --summary "did $TASK" ;; esac
END
todo
exit_is 0 "what the end of the run can commit is not left to the next"
is "$(commits | head -n 2 | xargs)" "T011: did T011 T012: did T012" "in the order in which it could be"
no_leftovers "nothing goes on at all"
done_testing
