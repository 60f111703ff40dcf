#!/usr/bin/env bash
# All ready tickets are candidates: what conflicts at the head of the queue does not keep others waiting.
. "$(dirname "$0")/tickets.sh"
plan 3

new_project
for id in pt-{1..5}; do ticket "$id" tags=component:ui priority=0; done
ticket pt-9 tags=component:api
does pt-1 'after "end pt-9"; work; close_ticket; commit'
does pt-9 'after "start pt-1"; work; close_ticket; commit'
work_on --parallel 2
exit_is 0 "all are done"
is "$(grep '^end' "$T/log" | head -n 1)" "end pt-9 0" "the one behind four that have to wait ran beside the first"
is "$(at_once)" 2 "in the second slot"
