#!/usr/bin/env bash
# W3: parallel work is merged, every ticket is done once.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
for id in pt-{1..6}; do ticket "$id"; done
work_on --parallel 3
exit_is 0 "all are done"
is "$(git ls-tree --name-only main:out | xargs)" "pt-1 pt-2 pt-3 pt-4 pt-5 pt-6" "all of it is on the branch"
is "$(git log --merges --format=%s | sort | xargs)" \
	"Merge ralph/pt-1 Merge ralph/pt-2 Merge ralph/pt-3 Merge ralph/pt-4 Merge ralph/pt-5 Merge ralph/pt-6" \
	"by a merge each"
is "$(starts)" 6 "each was tried once"
is "$(grep -L '^status: closed' .tickets/*.md)" "" "all tickets are closed"
