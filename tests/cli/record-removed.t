#!/usr/bin/env bash
# The state home, or a loop's own directory in it, is removed while it runs: a loop of any kind then starts no agent
# into nowhere, ends the one it has, says why, and ends with failure.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
why='this loop and its agents are ended, because its record was removed or moved away: '

# Removes what is given until it stays away: a directory that is written to may not be empty at once.
away() {
	rm -rf "$1" 2>/dev/null
	[[ ! -e $1 ]]
}

# $bg is the loop, $1 what it is called here, $agent its agent.
ended() {
	end_bg 60 "$bg"
	exit_is 1 "$1: it ends, and not with success"
	like "$err" "$why$RALPH_HOME/loops/" "and says why"
	unlike "$out$err" 'resume|go on|will be tried|until (that|it)' "and advises nothing that cannot work"
	wait_for 60 gone "$agent" && pass "its agent is ended"
}

run_bg "${loop[@]}" plain --max-iterations 3 --on-alert 'cat >>alerted' -- sh -c 'echo $$ >>agents; exec sleep 600'
wait_for 30 test -s agents
agent=$(head -n 1 agents)
wait_for 30 away "$RALPH_HOME"
ended "the home of a loop that works"
is "$(wc -l <agents)" 1 "no other agent was started"
like "$(jq -r .text alerted)" "^$why" "there was an alert"
not_ok "the home does not come back" test -e "$RALPH_HOME"

rm -f agents
# shellcheck disable=SC2016 # for the agent
run_bg "${loop[@]}" next --max-iterations 3 -- sh -c 'echo $$ >>agents; until [ -e go ]; do sleep 0.05; done'
wait_for 30 test -s agents
agent=$(head -n 1 agents)
wait_for 30 away "$RALPH_HOME/loops/next" && touch go
ended "a loop's own directory"
is "$(wc -l <agents)" 1 "the agent that ended has no successor"
run "$SWARM" ls
unlike "$out" 'running' "nobody is told that it runs"

run_bg "${loop[@]}" mid --delay 1h --max-iterations 3 -- true
delayed() { "$RALPH" status mid 2>&1 | grep -q '^Waiting: delay, '; }
wait_for 30 delayed
agent=$bg
mv "$RALPH_HOME" "$T/moved"
ended "a home that was moved away, while nothing works"
mv "$T/moved" "$RALPH_HOME"
run "$RALPH" status mid
like "$out" 'its supervisor is gone; go on with' "moved back, it can go on"
run "$RALPH" stop mid

rm -f agents
run_bg "${loop[@]}" part --max-iterations 3 -- sh -c 'echo $$ >>agents; exec sleep 600'
wait_for 30 test -s agents
agent=$(head -n 1 agents)
rm "$RALPH_HOME/loops/part/journal.jsonl"
ended "the journal alone"

rm -f agents
run "$SWARM" spawn --name worker --tmux -- sh -c 'echo $$ >>agents; exec sleep 600'
exit_is 0 "a worker in a window"
wait_for 30 test -s agents
agent=$(head -n 1 agents)
supervisor=$(supervisor_of worker)
wait_for 30 away "$RALPH_HOME"
wait_for 60 gone "$supervisor" "$agent" && pass "it ends with its agent"
no_window() { ! tmux list-windows -a 2>/dev/null | grep -q worker; }
wait_for 30 no_window && pass "and its window is closed"

rm -f agents go
# shellcheck disable=SC2016 # for the agent
run_bg "$RALPH" run --name command --prompt-command 'echo "Your task: T-1 - do it"' --delay 0 -- sh -c 'echo $$ >>agents; until [ -e go ]; do sleep 0.05; done'
wait_for 30 test -s agents
agent=$(head -n 1 agents)
wait_for 30 away "$RALPH_HOME" && touch go
ended "a loop over a prompt command"
is "$(wc -l <agents)" 1 "it starts no other agent"
no_leftovers "nothing goes on"
done_testing
