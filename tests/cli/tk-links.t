#!/usr/bin/env bash
# Links go both ways; notes are appended with the time.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

for id in link-1 link-2 link-3; do
	ticket "$id" open 'links: []'
done
tk link link-1 k-2
exit_is 0 "two tickets"
is "$out" "Added 2 link(s) between 2 tickets" "are linked"
tk link link-1 link-2 link-3
is "$out" "Added 4 link(s) between 3 tickets" "three: what is missing is added"
tk link link-1 link-2 link-3
is "$out" "All links already exist" "and nothing twice"
is "$(grep -h links: .tickets/*)" 'links: [link-2, link-3]
links: [link-1, link-3]
links: [link-1, link-2]' "everyone has the others"
tk unlink link-1 link-2
is "$out" "Removed link: link-1 <-> link-2" "removed"
is "$(grep -h links: .tickets/*)" 'links: [link-3]
links: [link-3]
links: [link-1, link-2]' "on both sides"
tk unlink link-1 link-2
exit_is 1 "what is not there"
is "$out" "Link not found" "cannot be removed"
tk link link-1 nope
exit_is 1 "with nothing"
is "$err" "Error: ticket 'nope' not found" "there is no link"

tk add-note k-1 '- a note'
exit_is 0 "a note"
is "$out" "Note added to link-1" "is added"
printf 'from\nstdin\n' | "$RALPH" tk add-note link-1 >out
is "$(tail -n +8 .tickets/link-1.md | sed 's/^\*\*20..-..-..T..:..:..Z\*\*$/TIME/')" 'Text.

## Notes

TIME

- a note

TIME

from
stdin' "with the time, one below the other"
done_testing
