#!/usr/bin/env bash
# After a conflict the next attempt begins with the work of the last one and is told why it failed.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
config maxIterationsPerTicket 2
ticket pt-1
does pt-1 <<'SCRIPT'
if [[ $RALPH_ATTEMPT -eq 1 ]]; then
	echo "by pt-1" >file; work; close_ticket; commit
	cd "$T/work/project" && echo "by the user" >file && git commit -qam user
else
	printf '%s\n' "$RALPH_LAST_FAILURE" >"$T/why"; cat out/pt-1 >"$T/seen"
	git merge -q main >/dev/null 2>&1; echo "by both" >file; close_ticket; commit
fi
SCRIPT
work_on
exit_is 0 "the second attempt lands"
like "$err" 'pt-1: FAILED \(conflict\)' "the first did not"
like "$(cat "$T/why")" 'file' "the second is told which file"
is "$(cat "$T/seen")" "work of pt-1" "and has the work of the first"
is "$(git show main:file)" "by both" "its solution is on the branch"
is "$(git branch --list 'ralph/*')" "" "the branch is gone when it is merged"
