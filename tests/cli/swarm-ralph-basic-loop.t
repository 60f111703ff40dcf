#!/usr/bin/env bash
# Scenarios: basic ralph loop, ralph requires tmux, iteration restart on agent exit, max iterations reached,
# prompt file edited mid-loop.
. "$(dirname "$0")/../cli/lib.sh"

echo 'Do task A' >PROMPT.md
# shellcheck disable=SC2016
run_bg "$SWARM" spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- \
	"$AGENT" -e 'sh cat >got.$RALPH_ITERATION; touch started; wait-file go; sh rm go'
wait_for 20 test -e started
is "$(head -n 1 "$T/bg.$bg.out")" "spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/3]" "it says what was spawned"
window() {
	[[ $(tmux list-windows -a -F '#{session_name}:#{window_name}') == swarm:agent ]]
}
wait_for 20 window
pass "--tmux is automatically enabled, and no stray window is there"
ok "the state file is there" test -s "$RALPH_HOME/ralph/agent/state.json"
is "$(jq -r '[.worker_name, .prompt_file, .max_iterations, .current_iteration, .status, .inactivity_timeout, .done_pattern] | map(tostring) | join(" ")' \
	"$RALPH_HOME/ralph/agent/state.json")" "agent $PWD/PROMPT.md 3 1 running 60 null" "with what was asked for"
is "$("$SWARM" ls --format json | jq -c '.[0].metadata')" '{"ralph":true,"ralph_iteration":1}' "the worker's metadata says the iteration"
is "$(cat got.1)" "Do task A" "the agent got the prompt"

echo 'Do task B' >PROMPT.md
rm started
touch go
wait_for 20 test -e started
is "$(cat got.2)" "Do task B" "prompt file edited mid-loop: the next iteration reads it anew"
is "$("$SWARM" ls --format json | jq -c '.[0].metadata')" '{"ralph":true,"ralph_iteration":2}' "iteration restart: the metadata is updated"
# That is written a few times a second at most.
in_file() { [[ $(jq '.workers[0].metadata.ralph_iteration' "$RALPH_HOME/state.json") == 2 ]]; }
wait_for 20 in_file
is "$(jq -c '.workers[0].metadata' "$RALPH_HOME/state.json")" '{"ralph":true,"ralph_iteration":2}' "in the file, too"
: >PROMPT.md
rm started
touch go
wait_for 20 test -e started
is "$(wc -c <got.3)" 0 "an empty prompt file is allowed"
touch go
end_bg 30 "$bg"
exit_is 0 "max iterations reached: the loop exits with 0"
is "$(spans "$out")" "spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/3]
[ralph] agent: starting iteration 1/3
[ralph] agent: iteration 1 completed (exit: 0, duration: T)
[ralph] agent: starting iteration 2/3
[ralph] agent: iteration 2 completed (exit: 0, duration: T)
[ralph] agent: starting iteration 3/3
[ralph] agent: iteration 3 completed (exit: 0, duration: T)
[ralph] agent: loop complete after 3 iterations" "every line is the seed's"
is "$err" "" "and there is no other"
is "$(jq -r .status "$RALPH_HOME/ralph/agent/state.json")" stopped "the state is stopped"
like "$(sed -n 1,2p "$RALPH_HOME/ralph/agent/iterations.log")" \
	'^[0-9-]{10}T[0-9:]{8} \[START\] iteration 1/3
[0-9-]{10}T[0-9:]{8} \[END\] iteration 1 exit=0 duration=[0-9]+s$' "the log has START and END"
run "$SWARM" clean agent
exit_is 0 "it can be cleaned"
wait_for 20 eval '! tmux list-windows 2>/dev/null'
no_leftovers "nothing goes on"
done_testing
