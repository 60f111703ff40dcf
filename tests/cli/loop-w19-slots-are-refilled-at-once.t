#!/usr/bin/env bash
# W19: a slot is refilled when its session ends; nothing waits for a batch, a poll or a sleep.
. "$(dirname "$0")/tickets.sh"
plan 3

new_project
for id in pt-{1..6}; do ticket "$id"; done
does pt-1 'after "end pt-6"; work; close_ticket; commit'
does pt-6 'after "start pt-1"; work; close_ticket; commit'
work_on --parallel 2
exit_is 0 "one long ticket and five short ones at parallel 2"
is "$(grep '^end' "$T/log" | tail -n 1)" "end pt-1 0" "the short ones were done beside the long one"
is "$(at_once)" 2 "two at once, never more"
