#!/usr/bin/env bash
# The tickets of a loop are those that `ralph tk` shows where one stands: a directory with tickets of its own,
# below a project, is refused; nobody says of it that all are done.
. "$(dirname "$0")/tickets.sh"

new_project
mkdir -p part/.tickets part/deeper
(cd part && ticket pt-1)
refused() { # WHAT
	run "$RALPH" loop "${@:2}" -- "$T/worker" '{ticket}' '{file}'
	exit_is 1 "$1: refused"
	like "$err" "$project/part/\\.tickets.*$project: 'ralph loop init'" "$1: both are named, and what to do"
	is "$out" "" "$1: nothing is promised"
	is "$(starts)" 0 "$1: nothing is started"
}
cd part || exit 1
like "$("$RALPH" tk ready)" pt-1 "(there is one to do)"
refused "tickets in between"
refused "a dry run" --dry-run
cd deeper || exit 1
refused "further down"
cd ..
rm -r ../.tickets
refused "none at the top"

mkdir ../.tickets
cd .. && config ticketsDir '"part/.tickets"' && cd part || exit 1
run "$RALPH" loop --dry-run -- true
like "$status $out" '^0 .*pt-1' "those that the project means are its own"
cd .. && config ticketsDir null && cd part || exit 1
"$RALPH" loop init >"$T/init.log" 2>&1
git add . && git commit -qm part
does pt-1 'work; close_ticket; commit'
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
like "$status $out" "^0 $sigil" "with a project of its own they are done"
is "$(sed -n 's/^status: //p' .tickets/pt-1.md)" closed "and none but those"
done_testing
