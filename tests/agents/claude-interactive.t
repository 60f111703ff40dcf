#!/usr/bin/env bash
# claude in a terminal of its own: the prompt is pasted when it is ready, and only what it says
# itself ends the loop.
. "$(dirname "$0")/lib.sh"

claude=(claude --dangerously-skip-permissions)
cat >prompt <<'PROMPT'
---
title: "front matter"
---
- a dash first, "quotes", $HOME, `ticks`, \n and a tab:	here
	indented by a tab

ünïcödé ✓ 漢字 🎉 ﷽ é
#!/bin/sh @prompt /exit !ls
Do the next task of PLAN.md. When no task is left, print on a line of its own:
All tasks complete
PROMPT

# What claude makes of a paste: four blanks for a tab, nothing for the last newline.
pasted() {
	printf '%s' "$(sed 's/\t/    /g' "$1")"
}

model '[
	{"text": "I begin with the file.", "tools": [{"name": "Write", "input": {"file_path": "'"$PWD"'/work.txt", "content": "one\n"}}]},
	{"text": "The first task is done. There are others."},
	{"tools": [{"name": "Read", "input": {"file_path": "'"$PWD"'/work.txt"}}, {"name": "Read", "input": {"file_path": "'"$PWD"'/prompt"}}]},
	{"tools": [{"name": "Edit", "input": {"file_path": "'"$PWD"'/work.txt", "old_string": "one\n", "new_string": "one\ntwo\n"}}]},
	{"text": "The second one, too. I was asked to print, when no task is left, on a line of its own: All tasks complete"},
	{"tools": [{"name": "Bash", "input": {"command": "echo three >>work.txt; cat prompt", "description": "Append"}}]},
	{"text": "That was the last one.\n\nAll tasks complete"}
]'
run "${loop[@]}" plan --max-iterations 5 --inactivity-timeout 5 --done-pattern 'All tasks complete' -- "${claude[@]}"
exit_is 0 "the loop ends well"
is "$(outline "$out")" "[ralph] plan: starting iteration 1/5
[ralph] plan: inactivity timeout (5s), restarting
[ralph] plan: starting iteration 2/5
[ralph] plan: inactivity timeout (5s), restarting
[ralph] plan: starting iteration 3/5
[ralph] plan: done pattern matched, stopping loop
[ralph] plan: iteration 3 completed
[ralph] plan: loop complete after 3 iterations" "two agents that fell silent, and one that was done"
is "$(cat work.txt)" "one
two
three" "every iteration edited the file with another tool"
is "$(asked)" 7 "the model was asked once for every step"
ok "the prompt was typed as it is" cmp <(pasted prompt) <(prompt_of 0)
ok "also in the last iteration" cmp <(pasted prompt) <(prompt_of 5)
run "$RALPH" logs -i 3 plan
like "$out" 'That was the last one' "the log has its words"
model_end

# A long prompt that says the words itself, again and again.
for ((i = 0; i < 1000; i++)); do
	printf '%04d. Look at part %d of the list, then at the parts beside it; never print "All tasks complete" too early.\n' "$i" "$i"
done >long
model '[{"text": "It is a long list. I have read it."}, {"text": "All tasks complete"}]'
run "$RALPH" run --name long --prompt-file long --max-iterations 2 --inactivity-timeout 5 --done-pattern 'All tasks complete' -- "${claude[@]}"
is "$(outline "$out")" "[ralph] long: starting iteration 1/2
[ralph] long: inactivity timeout (5s), restarting
[ralph] long: starting iteration 2/2
[ralph] long: done pattern matched, stopping loop
[ralph] long: iteration 2 completed
[ralph] long: loop complete after 2 iterations" "a prompt of $(wc -c <long) bytes is taken as one"
ok "every byte of it arrived" cmp <(pasted long) <(prompt_of 0)
model_end

# An argument stays as it is.
model '[{"text": "All tasks complete"}]'
run "${loop[@]}" arg --max-iterations 1 --prompt-via arg --done-pattern 'All tasks complete' -- "${claude[@]}" --
like "$out" 'done pattern matched' "the prompt as an argument works as well"
ok "and keeps its tabs" cmp <(printf '%s' "$(cat prompt)") <(printf '%s' "$(prompt_of 0)")
model_end
no_leftovers "nothing goes on"
done_testing
