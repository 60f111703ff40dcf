#!/usr/bin/env bash
# A loop whose tmux window cannot be made is as if it had not been asked for.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt

# In /proc tmux can make no socket.
no_window() {
	run env TMUX_TMPDIR=/proc timeout 120 "$@"
	exit_is 1 "$name: it fails"
	like "$err" 'failed to create tmux window' "$name: and says why"
}

# no_trace NAME: nobody knows it.
no_trace() {
	run "$SWARM" ls --format names
	is "$out" "" "$name: swarm ls does not list it"
	run "$RALPH" ls --format names
	is "$out" "" "$name: nor does ralph ls"
	run "$SWARM" status "$1"
	exit_is 2 "$name: swarm status does not find it"
	run "$SWARM" wait "$1"
	exit_is 1 "$name: swarm wait does not take it for one that ended"
	run "$SWARM" ralph status "$1"
	exit_is 1 "$name: swarm ralph status does not take it for one that runs"
	is "$(find "$RALPH_HOME" -path "*/$1*")" "" "$name: no file of it stays"
	is "$(jq -c '.workers' "$RALPH_HOME/state.json" 2>/dev/null || echo '[]')" "[]" "$name: nor a record"
}

name="a loop"
no_window "$SWARM" spawn --name agent --ralph --prompt-file prompt --max-iterations 1 -- true
no_trace agent

name="a loop in the background"
no_window "$SWARM" spawn --name agent --ralph --prompt-file prompt --max-iterations 1 --detach -- true
no_trace agent

name="a plain worker"
no_window "$SWARM" spawn --name agent --tmux -- true
no_trace agent

name="a worker in a worktree"
git init -q repo
(cd repo && git commit -q --allow-empty -m first)
cd repo || exit 1
no_window "$SWARM" spawn --name agent --tmux --worktree -- true
cd .. || exit 1
no_trace agent
is "$(git -C repo worktree list | wc -l)" 1 "$name: its worktree is gone"

name="a todo list"
printf -- '- [ ] T001: first\n' >repo/TODO.md
git -C repo add TODO.md
git -C repo commit -q -m list
cd repo || exit 1
no_window "$RALPH" todo TODO.md --name agent --tmux -- true
cd .. || exit 1
no_trace agent

# What had the name before is as it was.
run timeout 120 "$SWARM" spawn --name agent --ralph --prompt-file prompt --max-iterations 2 -- "$AGENT" -e 'println old'
before=$(field agent '[.status, .iteration, .max_iterations] | join(" ")')
name="a name that a loop had"
no_window "$SWARM" spawn --name agent --ralph --prompt-file prompt --max-iterations 7 --detach -- true
is "$(field agent '[.status, .iteration, .max_iterations] | join(" ")')" "$before" "$name: that is as it was"
like "$("$RALPH" logs agent)" old "$name: with what its agents wrote"
is "$(jq -r '.max_iterations' "$RALPH_HOME/ralph/agent/state.json")" 2 "$name: with its state.json"
is "$(jq -r '.workers[] | [.name, .status, .metadata.ralph_iteration] | join(" ")' "$RALPH_HOME/state.json")" \
	"agent stopped 2" "$name: and listed"
is "$(ls "$RALPH_HOME/archive")" "" "$name: nothing of it is in the archive"

# And a respawn of it leaves it as it was.
name="a respawn"
no_window "$SWARM" respawn agent
is "$(field agent '[.status, .iteration, .max_iterations] | join(" ")')" "$before" "$name: the old one is as it was"
no_leftovers "nothing goes on"
done_testing
