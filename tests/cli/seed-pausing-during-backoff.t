#!/usr/bin/env bash
# Edge case: Pausing during backoff wait immediately stops the wait.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 20 --max-failures 20 -- claude
in_backoff agent swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "it is paused"
is "$(state_of agent .status)" paused "the state says so"
is "$(field agent '[.status, .hold_until] | join(" ")')" "paused " "there is no wait any more"
is "$(wc -l <starts)" "$failures" "and no agent was started"
begin=$EPOCHREALTIME
run swarm ralph resume agent
wait_for 60 agents $((failures + 1))
ok "resuming does not wait for the rest of it" took_less 3 "$begin"
swarm kill agent >killed
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
