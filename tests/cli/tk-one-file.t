#!/usr/bin/env bash
# A command that is about one ticket, and is given its whole id, reads no other: with thousands of them it is as quick.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-one open
ticket mp-one2 open
ticket mp-other open
# Which tickets a command opens.
opened() {
	env ASAN_OPTIONS=detect_leaks=0 strace -f -o trace -e trace=openat,open "$RALPH" tk "$@" </dev/null >out 2>&1
	grep -o '"[^"]*mp-[a-z0-9]*\.md"' trace | grep -o 'mp-[a-z0-9]*' | sort -u | xargs
}
is "$(opened close mp-one)" mp-one "close ID"
is "$(cat out)" "Updated mp-one -> closed" "it is closed"
is "$(opened reopen ' mp-one ')" mp-one "with blanks around it"
is "$(opened add-note mp-one a note)" mp-one "add-note ID"
is "$(opened edit mp-one)" mp-one "edit ID"
is "$(opened start other)" "mp-one mp-one2 mp-other" "a part of an id takes all of them"
is "$(cat out)" "Updated mp-other -> in_progress" "and is found"
tk close mp
exit_is 1 "several"
like "$err" "ambiguous ID 'mp' matches multiple tickets" "are told"
tk close mp-none
exit_is 1 "none"
like "$err" "ticket 'mp-none' not found" "is told"
done_testing
