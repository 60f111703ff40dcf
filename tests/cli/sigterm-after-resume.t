#!/usr/bin/env bash
# A SIGTERM after a resume is a first one again: the agent may complete.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" -e 'count starts; wait-file go; touch complete'
wait_for 20 test -s starts
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM'
run "$RALPH" resume agent
is "$status $out" "0 resumed ralph loop for agent" "a loop that was to leave goes on"
kill -TERM "$bg"
wait_for 20 said "$T/bg.$bg.out" 'received SIGTERM' 2
is "$(field agent .status)" paused "the next SIGTERM pauses it"
not_ok "and lets the agent be" gone "$agent"
touch go
end_bg 20 "$bg"
exit_is 143 "the program leaves as one that was terminated"
like "$out" 'iteration 1 completed \(exit: 0' "after its agent"
is "$(wc -l <starts) $(field agent .status)" "1 paused" "no other was started"
no_leftovers "nothing goes on"
done_testing
