#!/usr/bin/env bash
# --once: one look and one filling of slots, then it leaves; the next call goes on.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2; do ticket "$id"; done
does pt-1 'after go; work; close_ticket; commit'
work_on --once
is "$out" "" "it leaves while a worker runs, without a promise"
wait_for 60 said "$T/log" '^start pt-1'
is "$(starts)" 1 "which it has started"
work_on --once
is "$(starts)" 1 "a second call starts nothing, for there is no slot"
is "$out" "" "and promises nothing"
is "$(jq -r '.active[].ticket' .tf/ralph/dispatch-loop-state.json)" pt-1 "the state names the one that works"
is "$(jq -r .runId .tf/ralph/dispatch-loop.lock)" "$(jq -r .runId .tf/ralph/dispatch-loop-state.json)" "between two turns the lock names the run"
unlike "$err" "stale lock" "which is not called stale"
# A worker that said its last word may live a little longer.
landed() { work_on --once && has main out/pt-1; }
all_done() { work_on --once && [[ -n $out ]]; }
echo go >>"$T/log"
ok "a later one lands it" wait_for 60 landed
[[ -n $out ]] || wait_for 60 all_done
exit_is 0 "until all is done"
is "$out" "$sigil" "then it says so"
is "$(status_of pt-1) $(status_of pt-2)" "closed closed" "both are"
not_ok "the state is removed" test -e .tf/ralph/dispatch-loop-state.json
is "$(cat .tf/ralph/dispatch-loop.lock)" "" "and the lock is released"

# What ended before a turn is taken in by that turn, however slow its keeper is.
ticket pt-3
does pt-3 'after off; work; close_ticket; commit'
work_on --once
keeper=$(keeper_of project-loop)
agent=$(agent_of project-loop)
kill -STOP "$keeper"
echo off >>"$T/log"
ended() { [[ $(ps -o stat= -p "$agent") == Z* ]]; }
wait_for 60 ended
work_on_bg --once
wait_for 60 said "$T/bg.$bg.err" "Starting Ralph loop"
kill -CONT "$keeper"
end_bg 60 "$bg"
is "$(git show main:out/pt-3) $out" "work of pt-3 $sigil" "the next turn takes it in"
done_testing
