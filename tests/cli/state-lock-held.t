#!/usr/bin/env bash
# Somebody who holds state.lock for ever holds up no loop, and nobody for long.
. "$(dirname "$0")/../cli/seed.sh"

swarm spawn --name old -- sleep 600 >said
(flock 9 && exec sleep 600) 9>>~/.swarm/state.lock &
holder=$!
held() {
	! flock -n ~/.swarm/state.lock true
}
wait_for 20 held
# quickly WHAT COMMAND...: within a few seconds
quickly() {
	local what=$1 begin=$EPOCHREALTIME
	shift
	run timeout -s KILL 90 "$@"
	ok "$what: soon" took_less 12 "$begin"
}
quickly "swarm ls" swarm ls --format names
is "$status $out$err" "0 old" "and all is there"
echo 'count starts' >claude.txt
begin=$EPOCHREALTIME
run timeout -s KILL 120 swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 5 -- claude
is "$status $(wc -l <starts)" "0 5" "a loop goes through its iterations"
ok "and does not wait for the lock at every turn" took_less 15 "$begin"
is "$(state_of agent '"\(.status) \(.current_iteration)"')" "stopped 5" "its own state is right"
run swarm status agent
like "$status $out" '^1 agent: stopped' "and what is told of it, too"
quickly "swarm kill" swarm kill old
is "$status $out" "0 killed old" "a worker can be killed"
kill "$holder"
wait "$holder" 2>/dev/null
swarm spawn --name new -- true >said
swarm wait new >said
is "$(swarm ls --format names | sort | xargs)" "agent new old" "afterwards everybody is listed"
no_leftovers "nothing goes on"
done_testing
