#!/usr/bin/env bash
# What an agent leaves when its supervisor and its keeper are killed gets no rival.
# shellcheck disable=SC2016 # variables are for the agent's own shell
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# Its child outlives it: only the agent itself dies with the keeper.
run_bg "${loop[@]}" wrapped --max-iterations 3 -- sh -c 'sleep 98 & echo $! >child; wait'
wait_for 20 test -s child
wait_for 20 field_is wrapped '.sessions[0].pid != null' true
child=$(<child)
crash "$bg" "$(keeper_of wrapped)"
ok "a process of the old loop lives" kill -0 "$child"
run "${loop[@]}" wrapped --max-iterations 1 -- "$AGENT" -e 'println new'
exit_is 0 "the name can be used again"
ok "once that is ended" gone "$child"

# A process that cleared its environment is known by the lock it was born with.
run_bg "${loop[@]}" cleared --max-iterations 1 -- \
	sh -c 'env -i /usr/bin/setsid /bin/sleep 97 & echo $! >child2; exec sleep 96'
wait_for 20 test -s child2
wait_for 20 field_is cleared '.sessions[0].pid != null' true
crash "$(keeper_of cleared)"
end_bg 20 "$bg"
is "$status" 11 "a loop whose keeper was killed goes on"
like "$out" 'iteration 1 failed' "and says that the agent was lost"
no_leftovers "nothing is left"
done_testing
