#!/usr/bin/env bash
# Tickets come as lines of JSON, with every field they have, and a condition for jq selects.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir .tickets
tk query
exit_is 0 "without tickets"
is "$out" "" "there is nothing"
ticket mp-a open 'deps: [mp-b, mp-c]' 'priority: 0' 'tags: []' 'closed: 2026-01-01' 'seen by: [x, y]' 'title: say "hi"'
ticket mp-b closed $'deps:\n  - mp-c'
tk query
exit_is 0 "all tickets"
is "$(wc -l <<<"$out")" 2 "a line each"
is "$(jq -c 'select(.id == "mp-a")' <<<"$out")" \
	'{"id":"mp-a","status":"open","deps":["mp-b","mp-c"],"priority":"0","tags":[],"closed":"2026-01-01","seen by":["x","y"],"title":"say \"hi\""}' \
	"every field in its order: lists are arrays, all else is text"
is "$(jq -c 'select(.id == "mp-b") | .deps' <<<"$out")" '["mp-c"]' "also a list over several lines"
tk query '.status == "open"'
is "$(jq -r .id <<<"$out")" mp-a "jq selects"
tk query '.status =='
exit_is 3 "a condition that jq does not understand ends as jq does, as in tk"
like "$err" 'Error: jq: ' "is an error with jq's words"
run env PATH=/nonexistent "$RALPH" tk query true
exit_is 1 "and so is a machine without jq"
like "$err" 'jq' "which is said"
done_testing
