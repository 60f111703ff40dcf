#!/usr/bin/env bash
# Between two turns of --once a loop waits for its next turn: every command says so, and none calls it crashed.
. "$(dirname "$0")/tickets.sh"

word() { "$RALPH" ls | awk '$1 == "project-loop" { print $2 }'; }
json() { "$RALPH" status --json project-loop | jq -r "$1"; }
hint="between-turns \\(goes on with the next 'ralph loop --once', or with: ralph resume project-loop\\)"

new_project
for id in pt-1 pt-2; do ticket "$id"; done
does pt-1 'after go; work; close_ticket; commit'
work_on --once
wait_for 60 said "$T/log" '^start pt-1'
is "$(word)" between-turns "ls has a word for a loop whose agent works between two turns"
is "$("$RALPH" ls --json | jq -r '.[0].status')" between-turns "so has ls --json"
is "$(json '"\(.status) \(.supervised) \(.outcome)"')" "between-turns false null" "and status --json"
run "$RALPH" status project-loop
like "$out" $'\n'"Status: $hint"$'\n' "status says what goes on with it"
run "$RALPH" wait project-loop
exit_is 3 "wait does not wait for the next turn"
like "$out" "^project-loop: $hint\$" "and says why"
run "$RALPH" loop status
like "$out" $'\n'"Active run: project-loop, $hint\$" "so does loop status"
run "$RALPH" loop status --json
like "$(jq -r .active <<<"$out")" "^project-loop, between-turns" "also as JSON"
run "$RALPH" clean --all
is "$(word)" between-turns "clean --all spares it"

# A supervisor that is killed in the middle of its turn has crashed.
keeper=$(keeper_of project-loop)
kill -STOP "$keeper"
work_on_bg --once
in_turn() { [[ $(json .status) == running ]]; }
wait_for 60 in_turn
kill -KILL "$bg"
wait_for 60 lib_gone "$bg"
is "$(word)" crashed "a turn that was killed has crashed"
run "$RALPH" status project-loop
like "$out" 'Status: crashed \(its supervisor is gone; go on with: ralph resume project-loop\)' "status says so"
run "$RALPH" wait project-loop
like "$out" '^project-loop: crashed' "so does wait"
run "$RALPH" loop status
like "$out" 'Active run: project-loop, crashed \(its supervisor is gone' "and loop status"
kill -CONT "$keeper"
work_on --once
is "$(word)" between-turns "the next turn goes on with it"

# Paused between turns it is paused; resume goes on without turns.
run "$RALPH" pause project-loop
is "$(word)" paused "a loop can be paused between two turns"
run "$RALPH" resume project-loop
exit_is 0 "resume takes it"
is "$(word)" running "and goes on"
echo go >>"$T/log"
run "$RALPH" wait project-loop
exit_is 0 "until all is done"
is "$(status_of pt-1) $(status_of pt-2)" "closed closed" "with all tickets"

# Nothing runs, but more is open.
config sleepBetweenTickets 3600000
for id in pt-3 pt-4; do ticket "$id"; done
does pt-3 'after off; work; close_ticket; commit'
work_on --once
wait_for 60 said "$T/log" '^start pt-3'
echo off >>"$T/log"
landed() { work_on --once && has main out/pt-3; }
wait_for 60 landed
is "$(json '"\(.status) \(.sessions | length)"')" "between-turns 0" "without an agent it waits for its next turn, too"
run "$RALPH" stop project-loop
exit_is 0 "stop ends it"
is "$(word)" stopped "it is stopped"
run "$RALPH" loop status
like "$out" $'\nActive run: none$' "and nobody is at work"
no_leftovers "nothing goes on"
done_testing
