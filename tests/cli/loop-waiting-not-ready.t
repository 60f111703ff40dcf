#!/usr/bin/env bash
# A ticket whose work waits for its branch is not ready: nobody need begin it.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2 deps=pt-1
does pt-1 'echo by pt-1 >>file; close_ticket; commit'
commit_tickets
echo "the user's" >>file
work_on --max-iterations 1
is "$(status_of pt-1)" open "the file of one that waits says that it is open"
run "$RALPH" loop status
like "$out" $'Ready tickets: 1\n  pt-2 ' "only what a loop would begin is ready"
like "$out" $'Waiting tickets: 1\n  pt-1 .*Do pt-1' "what waits is listed as such"
run "$RALPH" loop status --json
is "$(jq -r '[.ready, .tickets[].id] | join(" ")' <<<"$out")" "1 pt-2" "in JSON, too"
is "$(jq -r '[.waiting_tickets[].id] | join(" ")' <<<"$out")" pt-1 "both"

run "$RALPH" tk ready
exit_is 0 "tk ready"
is "$out" "pt-1     [P2][open] - Do pt-1" "shows what the files say, as tk does"
like "$err" 'pt-1 is done: its work waits for main' "and says on stderr what waits"
is "$("$RALPH" tk ready --json 2>/dev/null | jq -r '.[].id')" pt-1 "JSON stays JSON"

git checkout -q -b other
run "$RALPH" loop status
like "$out" $'Ready tickets: 1\n  pt-1 ' "on another branch it is not done"
run "$RALPH" tk ready
is "$err" "" "and nothing is said"
git checkout -q main
git checkout -q file
run "$RALPH" loop --max-iterations 1 -- "$T/worker" '{ticket}' '{file}'
run "$RALPH" loop status
unlike "$out" 'Waiting tickets' "when it is on its branch nothing waits"
done_testing
