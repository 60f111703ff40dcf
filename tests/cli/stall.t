#!/usr/bin/env bash
# --stall-timeout restarts an agent that only blinks.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --pty --stall-timeout 1s --max-iterations 2 -- "$AGENT" -e 'println thinking; spinner 60000'
exit_is 11 "a spinner alone does not hold up the loop, and is no success"
is "$out" "[ralph] agent: starting iteration 1/2
[ralph] agent: no progress (stall timeout), restarting
[ralph] agent: starting iteration 2/2
[ralph] agent: no progress (stall timeout)
[ralph] agent: 2 of 2 iterations failed" "it says so"
second=$(patience 1)
cat >busy.txt <<SCRIPT
sh for i in \$(seq $((6 * second))); do sleep 0.4; echo "did part \$i"; done
SCRIPT
run "${loop[@]}" busy --pty --stall-timeout "${second}500ms" --max-iterations 1 -- "$AGENT" busy.txt
like "$out" 'iteration 1 completed' "new lines are progress"
no_leftovers "nothing goes on"
done_testing
