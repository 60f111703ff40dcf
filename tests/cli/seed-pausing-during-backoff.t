#!/usr/bin/env bash
# Edge case: Pausing during backoff wait immediately stops the wait.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 said "$T/bg.$bg.out" 'retrying in 4s'
begin=${EPOCHREALTIME/./}
run swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "it is paused"
is "$(state_of agent .status)" paused "the state says so"
ok "at once" test $((${EPOCHREALTIME/./} - begin)) -lt 3000000
is "$(field agent '[.status, .hold_until] | join(" ")')" "paused " "there is no wait any more"
is "$(wc -l <starts)" 3 "and no agent was started"
run swarm ralph resume agent
wait_for 3 agents 4 && pass "resuming does not wait for the rest of it"
swarm kill agent >killed
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
