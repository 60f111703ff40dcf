#!/usr/bin/env bash
# Scenario: Inactivity timeout triggers restart.
. "$(dirname "$0")/../cli/seed.sh"

cat >claude.txt <<'SCRIPT'
count starts
ignore HUP
println thinking
hang
SCRIPT
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 --inactivity-timeout 1 -- claude
wait_for 20 agents 1
first=$(cut -d ' ' -f 2 starts)
wait_for 20 agents 2
ok "the idle agent was killed" gone "$first"
like "$(cat "$T/bg.$bg.out")" '
\[ralph\] agent: inactivity timeout \(1s\), restarting
\[ralph\] agent: starting iteration 2/10' "it says so, and starts a new iteration"
ok "the log has it" said "$(log_of agent)" '^[0-9T:-]{19} \[TIMEOUT\] iteration 1 inactivity_timeout=1s$'
is "$(state_of agent '[.consecutive_failures, .total_failures, .inactivity_timeout] | join(" ")')" "0 0 1" "it is no failure"
mapfile -t at < <(cut -d ' ' -f 3 starts)
ok "it had its second" test $((at[1] - at[0])) -ge 1000000000
run swarm kill agent
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
