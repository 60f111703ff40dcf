#!/usr/bin/env bash
# Work that conflicted is kept, and the next run's attempt goes on with it and is told why.
. "$(dirname "$0")/tickets.sh"
plan 6

new_project
ticket pt-1
does pt-1 <<'SCRIPT'
printf '%s\n' "${RALPH_LAST_FAILURE:-nothing}" >>"$T/why"
if [[ ! -e out/pt-1 ]]; then
	echo "by pt-1" >file; work; close_ticket; commit
	cd "$T/work/project" && echo "by the user" >file && git commit -qam user
else
	git merge -q main >/dev/null 2>&1; echo "by both" >file; close_ticket; commit
fi
SCRIPT
work_on
exit_is 11 "the first run fails"
work_on
exit_is 0 "the second run lands it"
is "$(sed -n 1p "$T/why")" nothing "the first attempt has nothing to be told"
like "$(sed -n 2p "$T/why")" '^conflict in file' "the second, in another run, is told why"
is "$(git show main:file)" "by both" "its solution is on the branch"
is "$(git show main:out/pt-1)" "work of pt-1" "with the work of the first"
