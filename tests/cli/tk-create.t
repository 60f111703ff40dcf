#!/usr/bin/env bash
# A new ticket has tk's form, and an id that no other has.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir my-project && cd my-project || exit 1
tk create 'A first ticket'
exit_is 0 "where there are none, the directory is made"
like "$out" '^mp-[a-z0-9]{4}$' "the id is printed, made of the directory's name"
first=$out
is "$(sed 's/^created: 20..-..-..T..:..:..Z$/created: NOW/' ".tickets/$first.md")" "---
id: $first
status: open
deps: []
links: []
created: NOW
type: task
priority: 2
assignee: Test
---
# A first ticket" "as tk writes it, with git's user"
is "$(stat -c %a ".tickets/$first.md")" "$(printf '%o' $((0666 & ~$(umask))))" "with the usual mode"
tk create 'Second: a "bug"' -d 'Some
text.' --design 'The design' --acceptance 'Tests pass' -t bug -p 0 -a 'A B' \
	--external-ref gh-12 --parent "${first#mp-}" --tags 'component:api,urgent, x'
exit_is 0 "with everything"
second=$out
is "$(sed '/^created: /d' ".tickets/$second.md")" "---
id: $second
status: open
deps: []
links: []
type: bug
priority: 0
assignee: A B
external-ref: gh-12
parent: $first
tags: [component:api, urgent, x]
---
# Second: a \"bug\"

Some
text.

## Design

The design

## Acceptance Criteria

Tests pass" "all of it"
tk create
is "$(sed -n 11p ".tickets/$out.md")" "# Untitled" "without a title"
tk ready
is "$(wc -l <<<"$out")" 3 "all three are ready"
is "$err" "" "and tk reads them as we do"
tk create x --parent nope
exit_is 1 "a parent that is not there"
is "$err" "Error: ticket 'nope' not found" "is said"
tk create $'two\nlines'
exit_is 1 "a title of two lines"
is "$err" "Error: the title must be one line" "is refused"
tk create x -a $'me\nstatus: closed'
exit_is 1 "as everything that would make a field of its own"
tk create x -p high
exit_is 1 "and a priority that is no number"
is "$err" "Error: the priority must be a whole number (got 'high')" "which is said"
tk create Fix the bug
exit_is 1 "and a title of several words: tk would keep the last one only"
is "$(files | wc -l)" 3 "none of them left anything"
mkdir ../ralph && cd ../ralph || exit 1
tk create x
like "$out" '^ral-' "a name of one word gives three letters"
mkdir '../-rf *;' && cd '../-rf *;' || exit 1
tk create x
like "$out" '^[A-Za-z0-9]+-[a-z0-9]{4}$' "an odd one something harmless"
run env TICKETS_DIR=some/where "$RALPH" tk create x
exit_is 0 "TICKETS_DIR is made"
ok "with the ticket in it" test -e "some/where/$out.md"
done_testing
