#!/usr/bin/env bash
# swarm clean forgets workers that are over, and no others.
. "$(dirname "$0")/../cli/lib.sh"

"$SWARM" spawn --name runs -- sleep 600 >said
"$SWARM" spawn --name over -- "$AGENT" -e 'println secret words' >said
"$SWARM" spawn --name other -- "$AGENT" -e 'println x' >said
"$SWARM" wait over >said
"$SWARM" wait other >said
run "$SWARM" clean runs
exit_is 1 "a worker that runs is refused"
is "$err" "swarm: error: cannot clean running worker 'runs'" "it says so"
run "$SWARM" clean over
exit_is 0 "one that is over is cleaned"
is "$out$err" "cleaned over" "it says so"
is "$(find "$RALPH_HOME" -name 'over*')" "" "nothing of it is left"
not_ok "nor of what it wrote" grep -rq 'secret words' "$RALPH_HOME"
is "$(jq -r '.workers[].name' "$RALPH_HOME/state.json" | xargs)" "runs other" "its record is gone"
run "$SWARM" clean over
exit_is 1 "it cannot be cleaned again"
is "$err" "swarm: error: worker 'over' not found" "since it is not there"
run "$SWARM" clean --all
exit_is 0 "--all"
is "$out" "cleaned other" "takes those that are over"
like "$err" '^swarm: in all: 1 worker \([0-9]+ kB\)$' "and says how much that was"
is "$("$SWARM" ls --format names)" runs "and leaves the one that runs"
run "$SWARM" clean
exit_is 1 "clean whom?"
is "$err" "swarm: error: must specify worker name or use --all" "it asks"

# Paused with a supervisor that waits is not over; one whose supervisor is gone can be cleaned.
echo 'do it' >PROMPT.md
run "$SWARM" spawn --name loop --detach --ralph --prompt-file PROMPT.md --max-iterations 5 -- "$AGENT" -e 'touch begun; wait-file go'
wait_for 20 test -e begun
"$SWARM" ralph pause loop >said
touch go
wait_for 20 field_is loop '.sessions | length' 0
run "$SWARM" clean loop
is "$err" "swarm: error: cannot clean paused worker 'loop': its supervisor waits for a resume; end it with: swarm kill loop" "a loop that is only paused is not over"
crash "$(supervisor_of loop)"
run "$SWARM" clean loop
exit_is 0 "one that crashed is"
not_ok "its ralph state is gone, too" test -e "$RALPH_HOME/ralph/loop"

# Records of the original program, whose keys are not ours.
jq '.workers += [{"name":"old","status":"running","cmd":["x"],"started":"2024-01-15T10:30:00.000000","cwd":"/","env":{},"tags":[],
	"tmux":{"session":"s","window":"w","socket":null},"worktree":null,"pid":null,"metadata":{},"extra":1}]' \
	"$RALPH_HOME/state.json" >state && cp state "$RALPH_HOME/state.json"
mkdir -p "$RALPH_HOME/logs" && touch "$RALPH_HOME/logs/old.stdout.log" "$RALPH_HOME/logs/old.stderr.log"
run "$SWARM" kill old
exit_is 0 "one of another program's that does not run is no trouble to kill"
is "$(jq -c '.workers[] | select(.name == "old") | [.status, .extra]' "$RALPH_HOME/state.json")" '["stopped",1]' "its record is put right"
run "$SWARM" clean old
is "$out$err" "cleaned old" "and it can be cleaned"
is "$(ls "$RALPH_HOME/logs")" "" "with its logs"
"$SWARM" kill --all >said
no_leftovers "nothing goes on"
done_testing
