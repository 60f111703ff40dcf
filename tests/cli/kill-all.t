#!/usr/bin/env bash
# kill --all ends what swarm made, and no loop of ralph's.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
cp PROMPT.md prompt
mkdir elsewhere
run "$SWARM" spawn --name plain -- sleep 600
run "$SWARM" spawn --name window --tmux -- sleep 600
run "$SWARM" spawn --name looped --ralph --prompt-file PROMPT.md --max-iterations 5 --detach -- "$AGENT" -e 'touch looped; hang'
run "$RALPH" run --prompt-file prompt --max-iterations 5 --name overnight --cwd elsewhere --detach -- "$AGENT" -e 'touch overnight; hang'
run "$RALPH" run --prompt-file prompt --max-iterations 5 --name screen --pty --prompt-via arg --detach -- "$AGENT" -e 'touch screen; hang'
wait_for 20 test -e looped
wait_for 20 test -e elsewhere/overnight
wait_for 20 test -e screen
wait_for 20 field_is overnight '.sessions[0].pid != null' true
agent=$(agent_of overnight)
killed="killed looped killed plain killed window"
for program in "$SWARM" "$RALPH"; do
	run "$program" kill --all
	exit_is 0 "${program##*/} kill --all"
	is "$(sort <<<"$out" | xargs)$err" "$killed" "ends what was spawned, and names no other"
	killed=
	is "$(field overnight .status) $(field screen .status)" "running running" "and leaves the loops of ralph run"
	not_ok "with their agents" gone "$agent"
done
run "$SWARM" kill overnight
is "$status$out" "0killed overnight" "by its name a loop of ralph's is killed"
ok "with its agent" gone "$agent"
"$RALPH" stop screen >said
no_leftovers "nothing goes on"
done_testing
