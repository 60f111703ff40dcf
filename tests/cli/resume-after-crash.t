#!/usr/bin/env bash
# After a crash of the supervisor, resume goes on with the right iteration.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
count starts
when-iteration 2 sh echo before
when-iteration 2 wait-file go
when-iteration 2 sh echo after
SCRIPT
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" agent.txt
wait_for 20 said starts '^2 '
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
crash "$bg"
not_ok "the agent goes on without its supervisor" gone "$agent"
run "$RALPH" resume agent
exit_is 0 "resume takes the loop over"
is "$out" "resumed ralph loop for agent" "in the background"
is "$(field agent '[.supervised, .iteration, .sessions[0].pid] | join(" ")')" "true 2 $agent" "the agent that runs is kept"
touch go
run "$RALPH" wait agent
exit_is 0 "the loop comes to its end"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "no iteration was started twice or left out"
run "$RALPH" logs -i 2 agent
is "$out" "before
after" "nothing of what the agent wrote is missing"
is "$(field agent .total_failures)" 0 "and no failure was counted"

# The agent ended while nobody looked.
rm go starts
run_bg "${loop[@]}" over --max-iterations 3 -- "$AGENT" -e 'count starts; when-iteration 2 wait-file go; when-iteration 2 exit 4'
wait_for 20 said starts '^2 '
wait_for 20 field_is over '.sessions[0].pid != null' true
keeper=$(keeper_of over)
crash "$bg"
touch go
wait_for 20 gone "$keeper"
run "$RALPH" resume --foreground over
exit_is 11 "an agent that ended meanwhile, and failed"
like "$out" 'iteration 2 failed \(exit: 4\), retrying in 1s' "is judged by how it ended"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "the next iteration follows"

# Agent and keeper died in iteration 5.
rm starts
run_bg "${loop[@]}" five --max-iterations 6 -- "$AGENT" -e 'count starts; when-iteration 5 hang'
wait_for 20 said starts '^5 '
wait_for 20 field_is five '.sessions[0].pid != null' true
agent=$(agent_of five)
crash "$bg" "$(keeper_of five)"
wait_for 20 gone "$agent"
run "$RALPH" resume --foreground five
exit_is 11 "an agent that died with everything else in iteration 5"
like "$(spans "$out")" 'iteration 5 lost \(nobody saw it end\), going on
\[ralph\] five: starting iteration 6/6' "is followed by iteration 6"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3 4 5 6" "of which there was one each"
is "$(field five .total_failures)" 0 "and that was nobody's failure"

# Paused while nobody supervised it.
rm go starts
run_bg "${loop[@]}" paused --max-iterations 3 -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
wait_for 20 test -s starts
wait_for 20 field_is paused '.sessions[0].pid != null' true
keeper=$(keeper_of paused)
crash "$bg"
run "$RALPH" pause paused
is "$status $out" "0 paused ralph loop for paused" "a loop that crashed can be paused"
is "$(field paused .status)" paused "which is written down"
touch go
wait_for 20 gone "$keeper"
is "$(wc -l <starts)" 1 "its agent may finish"
run "$RALPH" resume --foreground paused
is "$status $(cut -d ' ' -f 1 starts | xargs)" "0 1 2 3" "and later it goes on"

# Crashed while it waited.
run_bg "${loop[@]}" backoff --max-iterations 2 -- "$AGENT" -e 'when-iteration 1 exit 1'
wait_for 20 said "$T/bg.$bg.out" 'retrying in 1s'
crash "$bg"
run "$RALPH" resume --foreground backoff
exit_is 11 "a crash during backoff, after a failure"
like "$out" 'starting iteration 2/2' "goes on with the next iteration"
no_leftovers "nothing goes on"
done_testing
