#!/usr/bin/env bash
# A task that is committed, but whose box cannot be ticked, is not complete: the end says what is lacking, and
# does not say that it is not committed.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
. "$root/tests/cli/todo.sh"
project
mkdir lists
mount -t tmpfs -o size=2m none lists
echo lists >>.git/info/exclude
printf -- '- [ ] T001: One\n' >lists/todo.md
worker <<'END'
case $KIND in task) echo 1 >one.txt; mount -o remount,ro "$PWD/lists"; ralph done --summary 'one' ;; esac
END
todo lists/todo.md --name ro --on-alert "cat >>$T/alerts"
exit_is 14 "what is not ticked is not complete"
is "$(commits)" "T001: one" "though it is committed"
like "$out" 'T001: its box cannot be ticked: .*Read-only file system' "the end says what is lacking"
unlike "$out$err$(cat "$T/alerts")" 'not committed (yet|:)|work is committed' "and nothing that is not so"
like "$out" 'not all of them are committed and ticked yet' "nor does its sentence"
is "$(jq -r .text "$T/alerts" | tail -n 1)" "1 task is done, but not committed and ticked yet" "nor the alert"
like "$("$RALPH" status ro)" 'Not committed and ticked yet: 1' "nor status"

mount -o remount,rw "$PWD/lists"
todo lists/todo.md --name ro
exit_is 0 "the next run ticks it"
is "$(commits)" "T001: one" "and does not commit it again"
like "$(cat lists/todo.md)" '^- \[x\] T001' "there it is"
cd /
no_leftovers "nothing goes on"
umount "$T/work/project/lists"
done_testing
