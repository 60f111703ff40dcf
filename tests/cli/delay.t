#!/usr/bin/env bash
# --delay waits between iterations, not after the last one.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --delay 1 --max-iterations 2 -- "$AGENT" -e 'count starts'
exit_is 0 "the loop goes through"
mapfile -t at < <(cut -d ' ' -f 3 starts)
ok "a second lies between the two" test $((at[1] - at[0])) -ge 1000000000
SECONDS=0
run "${loop[@]}" once --delay 10m --max-iterations 1 -- "$AGENT" -e 'println x'
ok "after the last there is nothing to wait for" test "$SECONDS" -lt 60
run "${loop[@]}" none --delay 0 --max-iterations 2 -- "$AGENT" -e 'println x'
exit_is 0 "zero is allowed: no delay"
no_leftovers "nothing goes on"
done_testing
