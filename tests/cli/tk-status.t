#!/usr/bin/env bash
# A status is changed in the front matter, and every other byte stays.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir .tickets
cat >.tickets/mp-l4ur.md <<'TICKET'
---
id: mp-l4ur
status: open
odd:    kept   
deps: []
---
# First | ticket

status: open

---

status: open
	a tab, and	another
TICKET
printf 'no line end' >>.tickets/mp-l4ur.md
chmod 640 .tickets/mp-l4ur.md
before=$(sed '3d' .tickets/mp-l4ur.md | sha256sum)
for row in 'start l4ur:in_progress' 'close mp-l4ur:closed' 'reopen 4u:open' \
	'status l4ur in_progress:in_progress' 'status l4ur closed:closed'; do
	want=${row#*:}
	# shellcheck disable=SC2086 # words
	tk ${row%:*}
	exit_is 0 "ralph tk ${row%:*}"
	is "$out" "Updated mp-l4ur -> $want" "says so"
	is "$(sed -n 3p .tickets/mp-l4ur.md)" "status: $want" "the line is changed"
	is "$(sed '3d' .tickets/mp-l4ur.md | sha256sum)" "$before" "and nothing else"
done
is "$(stat -c %a .tickets/mp-l4ur.md)" 640 "nor its mode"
is "$(files)" "mp-l4ur.md" "nothing else is left there"
tk status l4ur invalid
exit_is 1 "another word is refused"
is "$err" "Error: invalid status 'invalid'. Must be one of: open in_progress closed" "with tk's words"
tk close nope
exit_is 1 "a ticket that is not there"
is "$err" "Error: ticket 'nope' not found" "is said"
before=$(<.tickets/mp-l4ur.md)
for k in 1 2 3 4; do
	run env RALPH_FAULT="ENOSPC@$k" RALPH_FAULT_ROLE=other "$RALPH" tk reopen l4ur
	exit_is 1 "a disk that fills up at point $k is an error"
	is "$(<.tickets/mp-l4ur.md)" "$before" "the ticket is whole and as it was"
	is "$(files)" "mp-l4ur.md" "and nothing is left behind"
done
done_testing
