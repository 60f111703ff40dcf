#!/usr/bin/env bash
# An agent on pipes may be silent, unless --inactivity-timeout says how long.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" silent --pipe --max-iterations 1 -- "$AGENT" -e 'sleep 300'
like "$out" 'iteration 1 completed' "silence is allowed"
is "$(field silent .inactivity_timeout)" 0 "for as long as it likes"
run "${loop[@]}" agent --pipe --inactivity-timeout 1 --max-iterations 2 -- "$AGENT" -e 'println thinking; hang'
exit_is 11 "with a timeout, silence on the pipes restarts it, and is no success"
is "$out" "[ralph] agent: starting iteration 1/2
[ralph] agent: inactivity timeout (1s), restarting
[ralph] agent: starting iteration 2/2
[ralph] agent: inactivity timeout (1s)
[ralph] agent: 2 of 2 iterations failed" "in the known words"
second=$(patience 1)
cat >busy.txt <<SCRIPT
sh for i in \$(seq $((5 * second))); do sleep 0.4; echo x >&2; done
SCRIPT
run "${loop[@]}" busy --inactivity-timeout "${second}.5" --max-iterations 1 -- "$AGENT" busy.txt
like "$out" 'iteration 1 completed' "whatever it writes, to stderr too, starts the time anew"
no_leftovers "nothing goes on"
done_testing
