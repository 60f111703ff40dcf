#!/usr/bin/env bash
# Blocked tickets are listed with what they still wait for.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-l4ur closed
ticket mp-ndpp open
ticket mp-nnw7 open 'deps: [mp-l4ur]'
ticket mp-hawi open 'deps: [mp-ndpp, mp-l4ur, mp-nnw7]' 'assignee: demo'
ticket mp-0000 in_progress 'deps: [mp-none]' 'tags: [x]'
ticket mp-past closed 'deps: [mp-ndpp]'
tk blocked
exit_is 0 "it succeeds"
is "$out" 'mp-0000  [P2][in_progress] - The mp-0000 <- [mp-none]
mp-hawi  [P2][open] - The mp-hawi <- [mp-ndpp, mp-nnw7]' "as tk prints them"
tk blocked -T x
is "$out" 'mp-0000  [P2][in_progress] - The mp-0000 <- [mp-none]' "by tag"
tk blocked --json --assignee demo
is "$(jq -c '.[] | [.id, .blockers]' <<<"$out")" '["mp-hawi",["mp-ndpp","mp-nnw7"]]' "as JSON"
done_testing
