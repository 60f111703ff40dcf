#!/usr/bin/env bash
# An agent that stops its keeper is ended all the same.
# shellcheck disable=SC2016 # variables are for the agent's own shell
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 1 --grace 1s -- sh -c 'echo $$ >pid; kill -STOP $PPID; exec sleep 95'
wait_for 20 test -s pid
wait_for 20 field_is agent .iteration 1
run timeout 120 "$RALPH" stop agent
exit_is 0 "ralph stop comes to an end"
ok "and so does the agent" gone "$(<pid)"
end_bg 20 "$bg"
is "$status" 3 "the loop was stopped"
no_leftovers "nothing is left"
done_testing
