#!/usr/bin/env bash
# Recovery procedure: Stuck in backoff.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; exit 1' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 20 --max-failures 20 --done-pattern Fixed -- claude
# Pause to stop backoff
in_backoff agent swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "swarm ralph pause"
# Fix the issue (edit prompt, etc.)
echo 'Do it right' >PROMPT.md
echo 'println Fixed' >claude.txt
# Resume
begin=$EPOCHREALTIME
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "swarm ralph resume"
end_bg 20 "$bg"
exit_is 0 "the loop goes on"
ok "without the rest of the backoff" took_less 4 "$begin"
is "$(cat "prompt.$((failures + 1))")" "Do it right" "with the edited prompt"
is "$(state_of agent '[.status, .consecutive_failures, .total_failures] | join(" ")')" "stopped 0 $failures" "and the failures are over"
no_leftovers "nothing goes on"
done_testing
