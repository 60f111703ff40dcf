#!/usr/bin/env bash
# What counts is what claude says, as it writes it down itself; it is told to leave in its own
# words, and its dialogs are for people.
. "$(dirname "$0")/lib.sh"

claude=(claude --dangerously-skip-permissions)
echo 'Do the next task of PLAN.md.' >prompt
model '[
	{"tools": [{"name": "Bash", "input": {"command": "echo; echo; echo All tasks complete", "description": "Look"}}]},
	{"text": "There are others."},
	{"text": "That was the last one.\n\nAll tasks complete"}
]'
run "${loop[@]}" plan --max-iterations 3 --inactivity-timeout 5 --done-pattern '^All tasks complete$' -- "${claude[@]}"
# shellcheck disable=SC2001 # a pattern is no regular expression
is "$(sed 's/, duration: .*)/)/' <<<"$out")" "[ralph] plan: starting iteration 1/3
[ralph] plan: inactivity timeout (5s), restarting
[ralph] plan: starting iteration 2/3
[ralph] plan: done pattern matched, stopping loop
[ralph] plan: iteration 2 completed (exit: 0)
[ralph] plan: loop complete after 2 iterations" "what a tool prints is not what it says, and /exit ends it well"
model_end

model '[{"text": "All tasks complete"}]'
mkdir "$T/unknown"
cp prompt "$T/unknown"
cd "$T/unknown" || exit 1
# shellcheck disable=SC2016 # for the shell that runs it
run "${loop[@]}" stranger --max-iterations 1 --inactivity-timeout 3 --on-alert 'cat >>"$T/alerts"' -- "${claude[@]}"
like "$out" 'iteration 1 failed' "a directory that is not trusted: no prompt is given"
like "$(cat "$T/alerts")" 'asks something' "and somebody is told"
is "$(asked)" 0 "the model heard nothing"
model_end
no_leftovers "nothing goes on"
done_testing
