#!/usr/bin/env bash
# swarm ralph spawn is spawn --ralph; --detach returns at once; several loops run side by side; --replace.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
for i in 1 2; do
	run "$SWARM" ralph spawn --name "agent$i" --detach --prompt-file PROMPT.md --max-iterations 5 -- \
		"$AGENT" -e "touch begun$i; hang"
	exit_is 0 "agent$i is spawned in the background"
	is "$out$err" "spawned agent$i (tmux: swarm:agent$i) [ralph mode: iteration 1/5]" "and nothing else is said"
	wait_for 20 test -e "begun$i"
done
is "$("$SWARM" ls --format json | jq -r '.[] | select(.metadata.ralph == true) | "\(.name) \(.status)"' | sort | xargs)" \
	"agent1 running agent2 running" "multiple ralph workers run concurrently"
run "$SWARM" ralph spawn --name agent1 --detach --prompt-file PROMPT.md --max-iterations 5 -- "$AGENT" -e hang
exit_is 1 "a name that runs is taken"
is "$err" "swarm: error: worker 'agent1' already exists" "it says so"
old=$(agent_of agent1)
run "$SWARM" ralph spawn --name agent1 --replace --detach --prompt-file PROMPT.md --max-iterations 3 -- "$AGENT" -e hang
is "$out$err" "replaced existing worker agent1
spawned agent1 (tmux: swarm:agent1) [ralph mode: iteration 1/3]" "--replace takes it over"
ok "the old agent is gone" gone "$old"
run "$SWARM" ralph spawn --name x --max-iterations 3 -- "$AGENT" -e hang
is "$err" "swarm: error: --ralph requires --prompt-file" "the checks are the same"
run "$SWARM" ralph spawn --help
for words in Examples: '--prompt-file PROMPT.md' Intervention: Monitoring: 'swarm attach' 'swarm logs' consistency existing 'ralph state' 50; do
	like "$(tr '\n' ' ' <<<"$out")" "$words" "its help speaks of $words"
done
run "$SWARM" ralph run --help
like "$out" 'monitoring loop.*' "that of ralph run, too"
"$SWARM" kill --all >said
no_leftovers "nothing goes on"
done_testing
