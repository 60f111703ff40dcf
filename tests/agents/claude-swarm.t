#!/usr/bin/env bash
# swarm spawn --ralph with claude in tmux: three in a row, in one window, ended by what it says itself.
. "$(dirname "$0")/lib.sh"

cat >PROMPT.md <<'PROMPT'
- Do the next task of PLAN.md.
When no task is left, print on a line of its own:
All tasks complete
PROMPT
model '[
	{"text": "I begin with the file.", "tools": [{"name": "Write", "input": {"file_path": "'"$PWD"'/work.txt", "content": "one\n"}}]},
	{"text": "The first task is done. There are others."},
	{"tools": [{"name": "Bash", "input": {"command": "echo two >>work.txt; echo All tasks complete", "description": "Append"}}]},
	{"text": "The second one, too."},
	{"wait": "'"$PWD"'/go", "tools": [{"name": "Bash", "input": {"command": "echo three >>work.txt", "description": "Append"}}]},
	{"text": "That was the last one.\n\nAll tasks complete"}
]'
windows() {
	tmux list-windows -a -F '#{window_id} #{window_name} #{pane_pid}' 2>/dev/null
}
shows() {
	tmux capture-pane -p -t swarm:agent 2>/dev/null | grep -qE -e "$1"
}
run_bg "$SWARM" spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 5 --inactivity-timeout 5 \
	--done-pattern 'All tasks complete' -- claude --dangerously-skip-permissions
wait_for 30 shows 'I begin with the file'
first=$(windows)
is "$(wc -l <<<"$first") $(cut -d ' ' -f 2 <<<"$first")" "1 agent" "claude is in one window of its own"
wait_for 60 asked_times 5
is "$(windows)" "$first" "which stays across iterations"
is "$("$SWARM" ls --format json | jq -c '.[].metadata')" '{"ralph":true,"ralph_iteration":3}' "the third one runs"

# Its supervisor is killed in the middle of a turn.
crash "$bg"
like "$(<"$T/bg.$bg.out")" '^spawned agent \(tmux: swarm:agent\) \[ralph mode: iteration 1/5\]' "it was spawned in the seed's words"
run "$SWARM" ralph status agent
like "$out" 'swarm ralph resume agent' "status says what to type"
run "$SWARM" ralph resume agent
is "$status $out" "0 resumed ralph loop for agent" "resume takes it over"
touch go
run "$RALPH" wait agent
exit_is 0 "claude says that it is done"
is "$(cat work.txt)" "one
two
three" "every iteration did its work, once"
is "$(asked)" 6 "the model was asked once for every step"
ok "the prompt arrived as it is" cmp <(printf '%s' "$(cat PROMPT.md)") <(prompt_of 0)
is "$(field agent '[.iteration, .exit_reason, .total_failures] | join(" ")')" "3 done_pattern 0" \
	"what a tool printed did not count, what it said did"
run "$SWARM" logs --history agent
like "$out" 'That was the last one' "its words can be read afterwards"
model_end
no_leftovers "nothing goes on"
done_testing
