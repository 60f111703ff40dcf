#!/usr/bin/env bash
# W26: an agent that ignores every polite signal is gone before the next one starts.
. "$(dirname "$0")/../cli/seed.sh"

echo 'ignore HUP; ignore TERM; ignore INT; count starts; fork-child child; hang' >claude.txt
run_bg swarm spawn --name agent --grace 1s --ralph --prompt-file ./PROMPT.md --max-iterations 9 --inactivity-timeout 1 -- claude
wait_for 20 agents 1
wait_for 20 test -s child
child=$(cat child)
wait_for 30 agents 2
ok "the first one and its child are gone when the second starts" gone "$(sed -n '1s/^[0-9]* \([0-9]*\) .*/\1/p' starts)" "$child"
run swarm kill agent
exit_is 0 "kill ends the second"
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
