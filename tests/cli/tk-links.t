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

# Behind the id every word is the note's, as the original has it.
ln -s "$RALPH" ticket
tk add-note link-2 run grep with the -h flag
is "$status $out" "0 Note added to link-2" "a note with -h among its words is added"
tk add-note link-2 --help is all it says
is "$status $out" "0 Note added to link-2" "and one that begins with --help"
run ./ticket add-note link-2 try it with --help
is "$status $out" "0 Note added to link-2" "so it is under the name ticket"
is "$(grep -- '-h' .tickets/link-2.md)" 'run grep with the -h flag
--help is all it says
try it with --help' "each word for word"
tk add-note --help
like "$status $out" '^0 .*Usage: ralph tk add-note' "before the id, --help asks for help"
tk add-note -h link-2 words
like "$status $out" '^0 .*Usage: ralph tk add-note' "and so does -h"
done_testing
