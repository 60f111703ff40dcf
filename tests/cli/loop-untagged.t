#!/usr/bin/env bash
# What tickets without components may run beside: anything, tagged ones, nothing.
. "$(dirname "$0")/tickets.sh"

backlog() {
	rm -rf "$project" "$RALPH_HOME"
	: >"$T/log"
	new_project
	ticket pt-1
	ticket pt-2
	ticket pt-3 tags=component:ui
}
# Waits for so many workers at once; more would have come with the same decision.
together() {
	for id in pt-1 pt-2 pt-3; do does "$id" "until [[ \$(grep -c ^start \$T/log) -ge $1 ]]; do sleep 0.02; done; close_ticket; commit"; done
	work_on --parallel 3 "${@:2}"
	exit_is 0 "${*:2} is done"
	is "$(at_once)" "$1" "$1 at once"
}
backlog
together 3
backlog
together 3 --untagged free
backlog
together 2 --untagged one
backlog
together 1 --untagged exclusive
backlog
config untagged '"exclusive"'
together 1
backlog
together 1 --no-worktree
done_testing
