#!/usr/bin/env bash
# An id may have blanks around it, as agents copy it, and may begin with a dash.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-l4ur open
ticket mp--x7 open
for id in ' mp-l4ur' 'l4ur ' $'\tl4ur\n' '-l4u'; do
	tk show "$id"
	exit_is 0 "$(printf %q "$id") is a ticket"
	is "$(sed -n 2p <<<"$out")" "id: mp-l4ur" "and the right one"
done
tk close -x7
is "$out" "Updated mp--x7 -> closed" "a part that begins with a dash is no option"
tk add-note l4ur The tests need - always - a database.
exit_is 0 "a note may be several words"
is "$(tail -n 1 .tickets/mp-l4ur.md)" "The tests need - always - a database." "which are joined"
tk show
exit_is 1 "every error has the exit code 1"
tk status l4ur
exit_is 1 "also where a word is missing"
tk
exit_is 0 "without a command"
like "$out" 'minimal ticket system' "it is explained"
tk help
like "$out" 'tk undep' "help lists the commands"
tk help dep
like "$out" 'ralph tk dep tree' "or explains one"
tk help nosuch
exit_is 1 "if there is such a one"
done_testing
