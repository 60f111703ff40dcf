#!/usr/bin/env bash
# A file that is meant as a ticket and is not worked on, because it cannot be read as one, has no status that counts, or
# has another one's id: not all is done then.  It is named, somebody is told, and there is no promise.
. "$(dirname "$0")/tickets.sh"

# begin: one good ticket, and the file under test comes from the caller
begin() {
	cd "$T/work" && rm -rf "$project" "$T"/do/* && : >"$T/log" && new_project "$@"
	config onAlert "\"cat >>$T/alerts\""
	: >"$T/alerts"
	ticket pt-1
}
# not_all TITLE REGEX: the run is over, and it is no success
not_all() {
	work_on
	exit_is 12 "$1"
	is "$out" "" "$1: there is no promise"
	like "$err" "$2" "$1: the file is named, and why"
	unlike "$err" 'All tickets are done' "$1: nobody says that all is done"
	ok "$1: somebody is told" grep -qE "$2" "$T/alerts"
	is "$(status_of pt-1)" closed "$1: what can be done is done"
}

begin
ticket pt-2 status=opne
not_all "a status that is none" "pt-2\.md waits to be mended: its status is 'opne'"
begin
ticket pt-2
sed -i '/^status/d' .tickets/pt-2.md
not_all "no status" "pt-2\.md waits to be mended: it has no status"
begin
printf -- '---\nid: pt-2\nstatus: open\n# Do it\n' >.tickets/pt-2.md
not_all "front matter without an end" 'pt-2\.md waits to be mended: is no ticket: its front matter has no end'
begin
ticket pt-2
sed -i '1i<<<<<<< HEAD' .tickets/pt-2.md
not_all "a conflict from the first line on" 'pt-2\.md waits to be mended: is no ticket: it does not begin with front matter'
begin
ticket pt-2 status=closed
sed -i -e '/^status/i<<<<<<< HEAD\nstatus: open\n=======' -e '/^status/a>>>>>>> theirs' .tickets/pt-2.md
not_all "a conflict about the status" 'pt-2\.md waits to be mended: its front matter has conflict markers'
begin
: >.tickets/pt-2.md
not_all "an empty file" 'pt-2\.md waits to be mended: is no ticket'
begin
ticket pt-2
ticket pt-2 file=pt-9
not_all "an id that another one has" "pt-9\.md waits to be mended: its id is also that of 'pt-2\.md'"

begin untracked
ticket pt-2
does pt-1 "work; cp $project/.tickets/pt-2.md $project/.tickets/pt-9.md; close_ticket; commit"
not_all "an id that is copied in mid-run" "pt-9\.md waits to be mended: its id is also that of 'pt-2\.md'"
is "$(starts pt-2)" 1 "the ticket itself is worked on"
rm .tickets/pt-9.md
work_on
is "$status $out" "0 $sigil" "without that file all is done"

begin
ticket pt-2 status=opne
run "$RALPH" loop --dry-run -- "$T/worker" '{ticket}' '{file}'
like "$out$err" "1 file is no ticket as it is: pt-2\.md waits to be mended: its status is 'opne'" "a dry run names it, too"
run "$RALPH" tk ready
is "$status $err" "0 " "ralph tk reads it as tk does"

# What was never meant as a ticket is none.
begin
echo '# About these tickets' >.tickets/README.md
printf -- '---\ntitle: How we write tickets\n---\n# How\n' >.tickets/guide.md
mkdir .tickets/old.md
ticket pt-2 status=closed file=pt-1-old
sed -i 's/^id: .*/id: pt-1/' .tickets/pt-1-old.md
work_on
is "$status $out" "0 $sigil" "a README, a page with a title, a directory and a closed copy change nothing"
no_leftovers "nothing goes on"
done_testing
