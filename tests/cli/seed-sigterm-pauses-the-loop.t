#!/usr/bin/env bash
# Implementation note: SIGTERM to the ralph process should pause the loop and allow current agent to complete.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; wait-file go; touch complete' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 agents 1
wait_for 20 field_is agent '.sessions[0].pid != null' true
kill -TERM "$bg"
wait_for 20 state_is agent .status paused && pass "the loop is paused"
ok "it says so" said "$T/bg.$bg.out" '^\[ralph\] agent: received SIGTERM, pausing loop \(current agent will complete\)$'
not_ok "the agent is allowed to complete" gone "$(agent_of agent)"
touch go
end_bg 20 "$bg"
ok "and does" test -e complete
is "$(wc -l <starts)" 1 "no other is started"
ok "the log says why" said "$(log_of agent)" '\[PAUSE\] loop paused reason=sigterm$'
is "$(state_of agent '[.status, .current_iteration] | join(" ")')" "paused 1" "it stays paused"
no_leftovers "nothing goes on"
done_testing
