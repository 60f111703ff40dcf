#!/usr/bin/env bash
# claude -p in a loop: it works with its tools, and only what it says itself ends the loop.
. "$(dirname "$0")/lib.sh"

cat >prompt <<'PROMPT'
Take the next task of PLAN.md and do it.
When no task is left, print on a line of its own:
All tasks complete
PROMPT
model '[
	{"text": "I begin with the file.", "tools": [{"name": "Write", "input": {"file_path": "'"$PWD"'/work.txt", "content": "one\n"}}]},
	{"text": "The first task is done. There are others."},
	{"tools": [{"name": "Read", "input": {"file_path": "'"$PWD"'/work.txt"}}, {"name": "Read", "input": {"file_path": "'"$PWD"'/prompt"}}]},
	{"tools": [{"name": "Edit", "input": {"file_path": "'"$PWD"'/work.txt", "old_string": "one\n", "new_string": "one\ntwo\n"}}]},
	{"text": "The second one, too. I was asked to print, when no task is left, on a line of its own: All tasks complete"},
	{"tools": [{"name": "Bash", "input": {"command": "echo three >>work.txt; cat prompt", "description": "Append"}}]},
	{"text": "That was the last one.\n\nAll tasks complete"}
]'
run "${loop[@]}" plan --max-iterations 5 --done-pattern 'All tasks complete' -- claude -p --dangerously-skip-permissions
exit_is 0 "the loop ends well"
is "$(spans "$out")" "[ralph] plan: starting iteration 1/5
[ralph] plan: iteration 1 completed (exit: 0, duration: T)
[ralph] plan: starting iteration 2/5
[ralph] plan: iteration 2 completed (exit: 0, duration: T)
[ralph] plan: starting iteration 3/5
[ralph] plan: done pattern matched, stopping loop
[ralph] plan: iteration 3 completed (exit: 0, duration: T)
[ralph] plan: loop complete after 3 iterations" "when the agent says it, not when it quotes the prompt"
is "$(cat work.txt)" "one
two
three" "every iteration edited the file with another tool"
is "$(asked)" 7 "the model was asked once for every step"
ok "the prompt reached it byte for byte" cmp prompt <(prompt_of 0)
ok "also in the last iteration" cmp prompt <(prompt_of 5)
run "$RALPH" logs -i 3 plan
is "$out" "That was the last one.

All tasks complete" "the log has its words"
model_end

# What the model's host does not understand is the agent's failure.
model '[
	{"status": 400, "text": "prompt is malformed"},
	{"text": "All tasks complete"}
]'
run "${loop[@]}" misunderstood --max-iterations 3 --done-pattern 'All tasks complete' -- claude -p --dangerously-skip-permissions
exit_is 0 "a bad request does not end the loop"
like "$out" 'iteration 1 failed \(exit: 1\), retrying in 1s' "it is a failure"
like "$out" 'starting iteration 2/3
.*done pattern matched' "after which the next agent does the work"
model_end

# A login that does not hold is nobody's failure: the loop waits for a person.
model '[
	{"status": 401, "text": "invalid x-api-key"},
	{"text": "All tasks complete"}
]'
run_bg "${loop[@]}" refused --max-iterations 3 --done-pattern 'All tasks complete' -- claude -p --dangerously-skip-permissions
wait_for 60 field_is refused .status paused
like "$(cat "$T/bg.$bg.err")" "ALERT: the agent's login does not hold; log in, then resume the loop" "a login that does not hold is an alert, and a pause"
run "$RALPH" resume refused
exit_is 0 "once it holds, the loop is resumed"
end_bg 60 "$bg"
exit_is 0 "and the next agent does the work"
like "$out" 'done pattern matched' "as it says"
model_end
no_leftovers "nothing goes on"
done_testing
