#!/usr/bin/env bash
# In a session, an agent says how its own task stands and no other's; outside, anyone may.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..3}
does T-1 'ralph graph complete T-2 2>said; echo $? >>said; ralph graph complete T-3 --force 2>>said' \
	'ralph graph reset T-2 2>>said; ralph graph complete T-1'
g run --delay 0 -- ./agent
exit_is 0 "the graph is worked through"
like "$out" '3 iterations: 3 completed' "by an agent for each task"
is "$(starts T-2) $(starts T-3)" "1 1" "what another agent said about them did not count"
like "$(cat said)" 'the task of this session is T-1: how T-2 stands' "it was told so"
is "$(sed -n 2p said)" 1 "with an exit code"
is "$(grep -c 'the task of this session is T-1' said)" 3 "force does not help, nor does a reset"

g reset T-2
exit_is 0 "outside of a session anyone may reset"
g complete T-2
exit_is 0 "and complete"
is "$(now T-2)" complete "whatever it is"

# By hand, in the file: it is put back, named and worked on.
tasks T-{4..7}
sed -i '/T-7/{n;s/ready/blocked/}' task-graph.yaml
does T-4 "sed -i '/T-5/{n;s/ready/complete/}; /T-7/{n;s/blocked/ready/}' task-graph.yaml; ralph graph complete T-4"
g run --delay 0 -- ./agent
exit_is 0 "what can be done is done"
like "$err" 'ALERT: T-5 was marked as complete in the graph while the agent of T-4 worked, and not by .ralph graph.: it is ready again' "what is marked in the file is named"
like "$err" 'T-7 was marked as ready .* it is blocked again' "whatever it is"
unlike "$err" 'T-[46] was marked' "what was completed is not"
like "$out" '3 iterations: 3 completed' "each task has its agent"
is "$(starts T-5)" 1 "also the one that was marked"
not_ok "and the blocked one has none" test -e starts.T-7

# By a person meanwhile, with our command.
tasks T-{4..6}
does T-4 'touch ready; until test -e go; do sleep 0.05; done; ralph graph complete T-4'
g reset T-4 --force
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 30 test -e ready
ok "a person completes a task meanwhile" "$RALPH" graph complete T-5 --force
touch go
end_bg 60 "$bg"
unlike "$err" 'was marked' "he is believed"
is "$(now T-5)" complete "and it stays"

# A task that was taken out was never done.
rm -f ready go
tasks T-{14..16}
does T-14 "sed -i '/T-15/,+1d' task-graph.yaml; ralph graph complete T-14"
g run --delay 0 -- ./agent
exit_is 11 "without it the graph is not complete"
like "$err" 'T-15 is gone from the graph since the agent of T-14 worked' "it is named"
like "$err" 'not by this loop: T-15' "also at the end"
unlike "$out$err" 'all tasks complete' "which does not call it complete"
like "$(tail -n 1 logs/ralph.jsonl)" '"action":"gave_up".*never checked: T-15' "nor does the log"

# The supervisor is killed in the middle.
tasks T-{24..26}
does T-24 'touch ready; until test -e go; do sleep 0.05; done' \
	"sed -i '/T-25/{n;s/ready/complete/}' task-graph.yaml; ralph graph complete T-24; touch over"
run_bg "$RALPH" graph run --name killed --delay 0 -- ./agent
wait_for 30 test -e ready
crash "$bg"
touch go
wait_for 30 test -e over
run "$RALPH" resume --foreground killed
exit_is 0 "it goes on after a crash"
like "$err" 'T-25 was marked as complete in the graph while the agent of T-24 worked' "what was marked meanwhile is named"
is "$(starts T-25)" 1 "and worked on"
no_leftovers "nothing goes on"
done_testing
