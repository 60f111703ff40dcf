#!/usr/bin/env bash
# No file that an agent makes stands in for another ticket: it is worked on all the same.
. "$(dirname "$0")/tickets.sh"

closed_copy() { echo "sed 's/^status:.*/status: closed/' .tickets/pt-2.md"; }
try() {
	rm -rf "$project" "$T"/do/* && : >"$T/log" && new_project
	ticket pt-1
	ticket pt-2
	does pt-1 "work; $2; commit; promise"
	work_on
	is "$status $(starts pt-2)" "0 1" "$1"
	ok "and its work is on the branch" has main out/pt-2
}
try "a closed ticket under another name" "$(closed_copy) >.tickets/z.md; git rm -q .tickets/pt-2.md"
try "another file with its id" "$(closed_copy) >.tickets/z.md"
try "a link in its place" "rm .tickets/pt-2.md; ln -s pt-1.md .tickets/pt-2.md"
try "the agent's own ticket with its id" "sed -i 's/^id:.*/id: pt-2/; s/^status:.*/status: closed/' .tickets/pt-1.md"
no_leftovers "nothing goes on"
done_testing
