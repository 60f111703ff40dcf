#!/usr/bin/env bash
# Scenario: Basic ralph loop.
. "$(dirname "$0")/../cli/seed.sh"

echo 'touch started; wait-file go' >claude.txt
printf 'study specs/README.md\n\n\t- and "more"\n' >PROMPT.md
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
wait_for 20 test -e started
is "$(head -n 1 "$T/bg.$bg.out")" "spawned agent (tmux: swarm:agent) [ralph mode: iteration 1/10]" "the line is to the letter"
wait_for 20 windows_are swarm:agent && pass "the worker is in tmux"
is "$(cat prompt.1)" "$(cat PROMPT.md)" "the prompt was read and passed to claude"
is "$(state_of agent 'keys_unsorted[:11] | join(" ")')" \
	"worker_name prompt_file max_iterations current_iteration status started last_iteration_started consecutive_failures total_failures done_pattern inactivity_timeout" \
	"the state has the documented keys"
is "$(state_of agent '[.worker_name, .prompt_file, .max_iterations, .current_iteration, .status, .consecutive_failures, .total_failures, .done_pattern, .inactivity_timeout] | map(tostring) | join(" ")')" \
	"agent $PWD/PROMPT.md 10 1 running 0 0 null 60" "and values"
time='^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}$'
like "$(state_of agent .started)" "$time" "started is a local time with microseconds"
like "$(state_of agent .last_iteration_started)" "$time" "last_iteration_started, too"
is "$(worker_of agent '[.name, .metadata] | tostring')" '["agent",{"ralph":true,"ralph_iteration":1}]' "the worker's metadata are as documented"
run swarm kill agent
exit_is 0 "(it can be killed)"
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
