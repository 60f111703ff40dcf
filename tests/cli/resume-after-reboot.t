#!/usr/bin/env bash
# After a reboot nothing of the loop lives, and its process ids may be somebody else's.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" -e 'count starts; when-iteration 2 hang'
wait_for 20 said starts '^2 '
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
session=$RALPH_HOME/loops/agent/sessions/$(field agent '.sessions[0].id')
crash "$bg" "$(keeper_of agent)"
wait_for 20 gone "$agent"

# Other processes now have the numbers that were the keeper's and the agent's.
run_bg "$AGENT" -e hang
innocent=$bg
jq -c --argjson pid "$innocent" '.boot_id = "00000000-0000-0000-0000-000000000000" | .pid = $pid | .agent.pid = $pid' \
	"$session/keeper.json" >keeper.json
mv keeper.json "$session/keeper.json"

run "$RALPH" status agent
like "$out" 'Status: crashed \(its supervisor is gone; go on with: ralph resume agent\)' "status says what to type"
run "$RALPH" resume --foreground agent
exit_is 11 "resume goes on; the iteration that was lost is not called done"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "with the next iteration"
like "$out" 'iteration 2 lost \(nobody saw it end\), going on' "and says that the old one was lost"
not_ok "whoever has the process id now is left alone" gone "$innocent"
kill -KILL "$innocent"
no_leftovers "nothing goes on"
done_testing
