#!/usr/bin/env bash
# W22: a dry run plans the whole run, each ticket once, and sleeps for nobody.
. "$(dirname "$0")/tickets.sh"
plan 5

new_project
config sleepBetweenTickets 600000
ticket pt-1 tags=component:ui
ticket pt-2 deps=pt-1
ticket pt-3 tags=component:ui
ticket pt-4
begin=$EPOCHREALTIME
work_on --dry-run --parallel 2
exit_is 0 "a dry run"
ok "takes no time" took_less 20 "$begin"
is "$out" "Would launch pt-1 (wave 1, components: ui): ralph/pt-1 in .tf/ralph/worktrees/pt-1
Would launch pt-4 (wave 1): ralph/pt-4 in .tf/ralph/worktrees/pt-4
Would launch pt-2 (wave 2): ralph/pt-2 in .tf/ralph/worktrees/pt-2
Would launch pt-3 (wave 2, components: ui): ralph/pt-3 in .tf/ralph/worktrees/pt-3
Planned 4 tickets in 2 waves at parallel 2." "says what would be launched and when"
work_on --dry-run --parallel 2 --json
is "$(jq -c '[.waves[].dispatches[].ticket]' <<<"$out")" '["pt-1","pt-4","pt-2","pt-3"]' "as JSON, too"
is "$(starts)" 0 "nothing was started"
