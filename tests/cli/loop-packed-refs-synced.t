#!/usr/bin/env bash
# A branch that is removed may be packed together with all others: the file with the others is on disk before it
# takes the place of the old one.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
does pt-1 'work; close_ticket; commit; git pack-refs --all'
git add -A && git commit -qm project
git branch keep
# Leaks cannot be looked for in a traced process.
run env ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" strace -qq -f -y -o "$T/trace" -e trace=fsync,fdatasync,rename \
	"$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "an agent packs all branches"
is "$(git branch --list 'ralph/*')" "" "its own branch is removed afterwards"
is "$(git branch --list keep)" "  keep" "another one stays"
# One line for each time that packed-refs was replaced: by the agent, then by us.
replaced=$(awk '/sync\(.*packed-refs\.new>/ { how = "synced" }
	/rename\(.*packed-refs\.new.*packed-refs"/ { print how == "" ? "not synced" : how; how = "" }' "$T/trace")
is "$(wc -l <<<"$replaced")" 2 "packed-refs is replaced by the agent, and when the branch is removed"
is "$(tail -1 <<<"$replaced")" synced "then it is synced before"
done_testing
