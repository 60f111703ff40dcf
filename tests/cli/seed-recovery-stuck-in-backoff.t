#!/usr/bin/env bash
# Recovery procedure: Stuck in backoff.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 4 -- claude
wait_for 20 said "$T/bg.$bg.out" 'retrying in 4s \(attempt 3/5\)'
# Pause to stop backoff
run swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "swarm ralph pause"
# Fix the issue (edit prompt, etc.)
echo 'Do it right' >PROMPT.md
echo 'count starts' >claude.txt
# Resume
begin=${EPOCHREALTIME/./}
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "swarm ralph resume"
end_bg 20 "$bg"
exit_is 0 "the loop goes on"
ok "without the rest of the backoff" test $((${EPOCHREALTIME/./} - begin)) -lt 3500000
is "$(cat prompt.4)" "Do it right" "with the edited prompt"
is "$(state_of agent '[.status, .consecutive_failures, .total_failures] | join(" ")')" "stopped 0 3" "and the failures are over"
no_leftovers "nothing goes on"
done_testing
