#!/usr/bin/env bash
# Edge case: Killing a ralph worker also stops the loop (state set to "stopped").
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; ignore HUP; fork-child child; touch ready; hang' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 test -e ready
run swarm kill agent
is "$status $out$err" "0 killed agent" "it says so"
is "$(state_of agent .status)" stopped "the state is stopped"
ok "the agent and its child are gone" gone "$(cut -d ' ' -f 2 starts)" "$(cat child)"
end_bg 20 "$bg"
unlike "$out" 'starting iteration 2' "the loop is over"
is "$(wc -l <starts)" 1 "no other agent was started"
is "$(worker_of agent '[.status, .metadata.ralph] | join(" ")')" "stopped true" "the record is kept"
wait_for 20 windows_are "" && pass "the window is closed"
no_leftovers "nothing goes on"
done_testing
