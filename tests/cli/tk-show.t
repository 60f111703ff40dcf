#!/usr/bin/env bash
# A ticket is shown as its file is, and how it stands to others.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-top open
ticket mp-need open
ticket mp-past closed
ticket mp-wait open 'deps: [mp-this]'
ticket mp-kid closed 'parent: mp-this'
ticket mp-this open 'deps: [mp-need, mp-past, mp-gone]' 'links: [mp-past]' 'parent: mp-top'
printf 'no line end' >>.tickets/mp-this.md
tk show this
exit_is 0 "part of its name will do"
is "$out" '---
id: mp-this
status: open
deps: [mp-need, mp-past, mp-gone]
links: [mp-past]
parent: mp-top  # The mp-top
---
# The mp-this

Text.
no line end

## Blockers

- mp-need [open] The mp-need
- mp-gone [missing]

## Blocking

- mp-wait [open] The mp-wait

## Children

- mp-kid [closed] The mp-kid

## Linked

- mp-past [closed] The mp-past' "all of it"
tk show mp-kid
is "$out" "$(sed 's/^parent:.*/&  # The mp-this/' .tickets/mp-kid.md)" "a ticket alone is its file"
tk show --json mp-this
is "$(jq -c '[.id, .blockers, .blocking, .children, .linked, .parent]' <<<"$out")" \
	'["mp-this",["mp-need","mp-gone"],["mp-wait"],["mp-kid"],["mp-past"],"mp-top"]' "as JSON"
is "$(jq -r '.text' <<<"$out")" "$(<.tickets/mp-this.md)" "with the text"

tk show mp-
exit_is 1 "a part of several names is refused"
is "$err" "Error: ambiguous ID 'mp-' matches multiple tickets" "with tk's words"
tk show nope
exit_is 1 "and one of none"
is "$err" "Error: ticket 'nope' not found" "with tk's words"
ticket mp-this-2 open
tk show mp-this
like "$out" 'id: mp-this[^-]' "the whole name is not ambiguous"
exit_is 0 "and is found"
printf 'A\033]0;title\007B\n' >>.tickets/mp-past.md
tk show mp-past
like "$out" $'\033' "a program gets the bytes of the file"
run script -qec "'$RALPH' tk show mp-past" /dev/null
unlike "$out" $'\033' "a terminal none that would steer it"
done_testing
