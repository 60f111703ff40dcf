#!/usr/bin/env bash
# A word too many is ignored as tk ignores it, and named on stderr; options that are empty, and words that only look like
# options, mean the same as in tk.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

fresh() {
	rm -rf .tickets
	ticket mp-aaaa open 'deps: [mp-bbbb]' 'links: [mp-cccc]'
	ticket mp-bbbb open 'deps: []' 'links: []'
	ticket mp-cccc closed 'deps: []' 'links: [mp-aaaa]'
}

# surplus FIRST-LINE-OF-STDOUT IGNORED ARG...
surplus() {
	local line=$1 ignored=$2
	shift 2
	fresh
	tk "$@"
	is "$status ${out%%$'\n'*}" "0 $line" "tk $*"
	like "$err" "warning: '$ignored' is ignored; usage: ralph tk $1 " "names what it ignores"
}
surplus "Updated mp-aaaa -> in_progress" mp-bbbb start aaaa mp-bbbb
surplus "Updated mp-aaaa -> closed" mp-bbbb close aaaa mp-bbbb
is "$(sed -n 's/^status: //p' .tickets/mp-bbbb.md)" open "which stays as it is"
surplus "Updated mp-cccc -> open" more reopen cccc more
surplus "Updated mp-aaaa -> closed" more status aaaa closed more
surplus "---" mp-bbbb show aaaa mp-bbbb
surplus "---" --nosuch show aaaa --nosuch
surplus "Edit ticket file: $PWD/.tickets/mp-aaaa.md" more edit aaaa more
surplus "Added dependency: mp-bbbb -> mp-cccc" more dep bbbb cccc more
surplus "Removed dependency: mp-aaaa -/-> mp-bbbb" more undep aaaa bbbb more
surplus "Removed link: mp-aaaa <-> mp-cccc" more unlink aaaa cccc more
surplus "No dependency cycles found" more dep cycle more
surplus "mp-bbbb [open] The mp-bbbb" aaaa dep tree aaaa bbbb
surplus "mp-aaaa [open] The mp-aaaa" --nosuch dep tree --nosuch aaaa
surplus "mp-bbbb  [P2][open] - The mp-bbbb" more ready more
surplus "mp-aaaa  [P2][open] - The mp-aaaa <- [mp-bbbb]" more blocked more
surplus "mp-cccc  [closed] - The mp-cccc" 1 closed 1
surplus "mp-aaaa  [open] - The mp-aaaa <- [mp-bbbb]" more ls more
surplus "mp-aaaa  [open] - The mp-aaaa <- [mp-bbbb]" more list more
surplus '{"id":"mp-bbbb","status":"open","deps":[],"links":[]}' more query '.id == "mp-bbbb"' more

fresh
for words in start close reopen status 'status aaaa' show edit dep 'dep aaaa' 'dep tree' 'dep tree --full' undep \
	'undep aaaa' link 'link aaaa' unlink 'unlink aaaa' add-note 'ready -a' 'ready -T' 'create -p' nosuch; do
	# shellcheck disable=SC2086 # words
	tk $words
	is "$status $out" "1 " "too little: tk $words"
done
is "$(files | grep -c '\.md$')" 3 "changes nothing"
for words in ready blocked closed ls list; do
	tk "$words" --nosuch
	is "$status $out" "1 " "tk $words --nosuch lists nothing, rather than too much"
	tk "$words"
	all=$out
	tk "$words" -a '' --tag= -T '' --assignee=
	is "$out" "$all" "in tk $words an empty filter is none"
done

tk undep aaaa nosuch
is "$status $err" "1 Error: ticket 'nosuch' not found" "a dependency that is no ticket is named"
tk create a -p 9
like "$(cat ".tickets/$out.md")" $'\npriority: 9\n' "a priority may be beyond 4"
tk ready
like "$out" ' \[P9\]\[open\] - a$' "and is shown"
tk create a -p -1
like "$(cat ".tickets/$out.md")" $'\npriority: -1\n' "or below 0"
tk create a -p ''
like "$(cat ".tickets/$out.md")" $'\npriority: 2\n' "an empty one is the default"
tk create a --parent ' aaaa '
like "$(cat ".tickets/$out.md")" $'\nparent: mp-aaaa\n' "a parent is named as any ticket is"
tk add-note aaaa one -- two --help
ok "a note has every word" grep -qxF 'one -- two --help' .tickets/mp-aaaa.md
tk add-note aaaa -- one
ok "the first one, too" grep -qxF -- '-- one' .tickets/mp-aaaa.md
done_testing
