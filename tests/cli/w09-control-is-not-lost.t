#!/usr/bin/env bash
# W9: pause, resume and SIGTERM reach a loop however busy it is, and resume starts agents for real.
. "$(dirname "$0")/../cli/seed.sh"

cat >work.sh <<'SH'
while ! test -e go; do date +%N; done
SH
echo 'count starts; sh . ./work.sh' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 9 -- claude
wait_for 20 agents 1
for i in 1 2 3; do
	swarm ralph pause agent >said
	is "$(state_of agent .status)" paused "pause $i of a loop whose screen never rests"
	swarm ralph resume agent >said
	is "$(state_of agent .status)" running "resume $i"
done
kill -TERM "$bg"
wait_for 20 state_is agent .status paused
touch go
end_bg 20 "$bg"
is "$(state_of agent .status) $(wc -l <starts)" "paused 1" "SIGTERM: it is paused after its agent"
rm go
swarm ralph resume agent >said
wait_for 20 agents 2 && pass "resume starts an agent"
wait_for 20 field_is agent '.sessions[0].pid != null' true
crash "$(supervisor_of agent)"
run swarm ralph status agent
like "$out" 'Status: running \(.*swarm ralph resume agent' "after a crash the status says so, and what to type"
run swarm ralph resume agent
is "$status $out$err" "0 resumed ralph loop for agent" "which takes the loop up"
is "$(field agent '[.supervised, .iteration] | join(" ")') $(wc -l <starts)" "true 2 2" "with the agent that was left"
swarm kill agent >said
no_leftovers "nothing goes on"
done_testing
