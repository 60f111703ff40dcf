#!/usr/bin/env bash
# Plain workers in tmux: a window of their name, in the session that is wanted.
. "$(dirname "$0")/../cli/lib.sh"

windows() {
	tmux "$@" list-windows -a -F '#{session_name}:#{window_name}' 2>/dev/null | sort | xargs
}
shows() {
	[[ $(windows "${@:2}") == "$1" ]]
}
run "$SWARM" spawn --name one --tmux -- "$AGENT" -e 'println here; hang'
exit_is 0 "it is started"
is "$out" "spawned one (tmux: swarm:one)" "in the session swarm, in a window of its name"
wait_for 20 shows swarm:one
is "$(jq -c '.workers[0].tmux' "$RALPH_HOME/state.json")" '{"session":"swarm","window":"one","socket":null}' "as the registry says"
run "$SWARM" spawn --name two --session mine -- "$AGENT" -e 'hang'
is "$out" "spawned two (tmux: mine:two)" "--session is enough to have one"
run "$SWARM" spawn --name three --tmux --tmux-socket other -- "$AGENT" -e 'hang'
is "$out" "spawned three (tmux: swarm:three)" "another server"
wait_for 20 shows "mine:two swarm:one"
wait_for 20 shows "swarm:three" -L other

# W6: what the user has in that session is the user's.
tmux new-window -d -t mine: -n editor 'sleep 600'
run "$SWARM" kill two
is "$(windows)" "mine:editor swarm:one" "kill closes the worker's window and no other"
# W4: a name that begins like another one is another one.
run "$SWARM" spawn --name on --tmux -- "$AGENT" -e 'hang'
run "$SWARM" kill on
is "$("$SWARM" ls --format names --status running | sort | xargs)" "one three" "kill on leaves one alone"
run "$SWARM" kill --all
wait_for 20 shows "mine:editor"
wait_for 20 shows "" -L other
pass "no window of ours is left"
tmux kill-server

# Without tmux there is no window to have.
mkdir bin
for tool in sleep sh; do ln -s "$(command -v "$tool")" bin/; done
echo 'do it' >PROMPT.md
run env PATH="$PWD/bin" "$SWARM" spawn --name none --tmux -- sleep 600
exit_is 1 "without tmux it cannot be shown"
is "$err" "swarm: error: tmux is not installed (required for --tmux)" "it says so"
run env PATH="$PWD/bin" "$SWARM" spawn --name none --ralph --prompt-file PROMPT.md --max-iterations 1 -- sleep 600
exit_is 1 "a loop neither"
is "$err" "swarm: error: tmux is not installed (required for --ralph)" "it says so, too"
no_leftovers "nothing goes on"
done_testing
