#!/usr/bin/env bash
# A reader that does not read holds up no loop, and gets what it missed when it reads again.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkfifo events go
# Takes the pipe, reads nothing until it is told to.
{ read -r _ <go; cat; } <events >seen &
reader=$!
"${loop[@]}" agent --max-iterations 120 --json -- true >events &
bg=$!
wait_for 60 field_is agent .status stopped
pass "all iterations ran although nobody read"
echo >go
wait "$bg"
wait "$reader"
is "$(jq -r 'select(.event == "finished") | .iteration' <seen)" 120 "the end is told"
is "$(jq -r 'select(.event == "started") | .iteration' <seen | tail -1)" 120 "every line is whole"
no_leftovers "nothing is left"
done_testing
