#!/usr/bin/env bash
# Ready are the tickets that are open or in progress and wait for nothing, by priority and id.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-done closed 'priority: 0'
ticket mp-ndpp open
ticket mp-l4ur in_progress 'priority: 1' 'assignee: demo' 'tags: [component:api, urgent]'
ticket mp-ten open 'priority: 10' 'assignee: demo'
ticket mp-nnw7 open 'deps: [mp-done]' 'priority: 0' 'tags: [urgently]'
ticket mp-hawi open 'deps: [mp-done, mp-ndpp]' 'priority: 0'
ticket mp-lost open 'deps: [nowhere]' 'priority: 0'
ticket mp-word 'done' 'priority: 0'
ticket a-long-ticket-id open 'priority: 3'
tk ready
exit_is 0 "it succeeds"
is "$out" 'mp-nnw7  [P0][open] - The mp-nnw7
mp-l4ur  [P1][in_progress] - The mp-l4ur
mp-ndpp  [P2][open] - The mp-ndpp
a-long-ticket-id [P3][open] - The a-long-ticket-id
mp-ten   [P10][open] - The mp-ten' "as tk prints them"
is "$err" "" "and nothing to warn about"
tk ready -a demo
is "$(cut -d ' ' -f 1 <<<"$out")" $'mp-l4ur\nmp-ten' "of one assignee"
tk ready --tag=urgent
is "$(cut -d ' ' -f 1 <<<"$out")" mp-l4ur "with one tag, compared whole"
tk ready -a demo -T nothing
exit_is 0 "none is no error"
is "$out" "" "and no output"
tk ready --json
is "$(jq -c '.[1]' <<<"$out")" '{"id":"mp-l4ur","status":"in_progress","title":"The mp-l4ur","priority":1,"deps":[],"links":[],"tags":["component:api","urgent"],"assignee":"demo","file":"mp-l4ur.md"}' "as JSON"
rm .tickets/*
tk ready
exit_is 0 "an empty directory is no error"
is "$out$err" "" "and prints nothing"
tk ready --json
is "$out" "[]" "or an empty list"
tk ready --nonsense
exit_is 1 "an unknown option is refused"
ticket one open 'assignee: demo'
ticket two open 'tags: [x]'
everything=$("$RALPH" tk ready)
for command in ready ls; do
	tk "$command" -a "" -T ""
	is "$(wc -l <<<"$out")" 2 "an empty filter of $command is none"
done
tk ready --assignee= --tag=
is "$out" "$everything" "in either form"
tk closed -a ""
is "$out" "" "nor does it make something closed"
done_testing
