#!/usr/bin/env bash
# Recovery procedure: Want to change max-iterations mid-loop.
. "$(dirname "$0")/../cli/seed.sh"

# As vim does it: the old file becomes a backup, a new one gets its name, the backup goes.
edit() {
	local file=$1
	sed "$2" "$file" >"$file.new" && mv "$file" "$file~" && mv "$file.new" "$file" && rm "$file~"
}
echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 agents 1
# Edit state file directly; change "max_iterations" value
edit ~/.swarm/ralph/agent/state.json 's/"max_iterations": 10\b/"max_iterations": 2/'
next_agent
wait_for 20 agents 2
ok "the next iteration has the new value" said "$T/bg.$bg.out" '^\[ralph\] agent: starting iteration 2/2$'
like "$(swarm ralph status agent)" 'Iteration: 2/2' "as the status shows"
edit ~/.swarm/ralph/agent/state.json 's/"max_iterations": 2\b/"max_iterations": 3/'
next_agent
wait_for 20 agents 3 && pass "also in the iteration that was to be the last"
is "$(tail -n 1 "$T/bg.$bg.out")" "[ralph] agent: starting iteration 3/3" "it says so"
# In place, too.
sed 's/"max_iterations": 3\b/"max_iterations": 9/' ~/.swarm/ralph/agent/state.json >edited
cat edited >~/.swarm/ralph/agent/state.json
next_agent
wait_for 20 agents 4
is "$(tail -n 1 "$T/bg.$bg.out")" "[ralph] agent: starting iteration 4/9" "a file that is written in place is read as well"

# Or pause, kill, respawn with new value
run swarm ralph pause agent
is "$status $out$err" "0 paused ralph loop for agent" "swarm ralph pause"
run swarm kill agent
is "$status $out$err" "0 killed agent" "swarm kill"
end_bg 20 "$bg"
rm starts
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 200 -- claude
wait_for 20 agents 1
is "$(head -n 1 "$T/bg.$bg.out")" "spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/200]" "swarm spawn with the new value"
is "$(state_of agent '[.status, .current_iteration, .max_iterations] | join(" ")')" "running 1 200" "the loop has it"
swarm kill agent >killed
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
