#!/usr/bin/env bash
# claude is led through three tasks in one session, with /clear between them: what counts in each
# turn is what claude itself says in it, though it writes every conversation to another file.
. "$(dirname "$0")/lib.sh"

leader=$(dirname "$RALPH")/../tests/unit/session/leader
ok "the program that leads it is built" test -x "$leader"

signal() {
	grep -qxF -- "$1" signals
}

# shellcheck disable=SC2016 # nothing here is for the shell
prompt_for() {
	printf '# Task %s\n\nDo it: "quotes", `ticks`, $HOME\tand a tab, ünïcödé ✓ 漢字 🎉\n\nWhen done, print:\n<promise>DONE</promise>\nor ask:\n<promise>STUCK:your question</promise>\n' "$1"
}

# What the conversation for that step begins with, behind what claude says of /clear itself.
prompt_after_clear() {
	jq -j "select(.step == $1) | .body.messages[0] | $model_text | last" "$model_log"
}

prompt_for T001 >one
prompt_for T002 >two
{
	prompt_for T003
	for ((i = 0; i < 1000; i++)); do
		printf '%04d. A line of a long prompt, with "<promise>DONE</promise>" in it.\n<promise>DONE</promise>\n' "$i"
	done
} >three
model '[
	{"tools": [{"name": "Bash", "input": {"command": "echo; echo; echo \"<promise>BLOCKED:a tool says so</promise>\"", "description": "Look"}}]},
	{"text": "The first one is finished.\n\n<promise>PROGRESS:90%</promise>\n<promise>DONE</promise>"},
	{"wait": "'"$PWD"'/go", "text": "I would print <promise>DONE</promise> now, but:\n\n<promise>STUCK:which of the two files\nis meant?</promise>"},
	{"text": "All right.\n\n<promise>DONE:T001</promise>\n\n<promise>DONE:T002</promise>"},
	{"text": "A long list.\n\n<promise>BLOCKED:too long</promise>"}
]'
mkdir sessions
: >signals
mkfifo orders
"$leader" sessions T001 one claude --dangerously-skip-permissions <orders >signals 2>errors &
pid=$!
exec 8>orders
wait_for 60 signal '1:done='
echo 'assign 2 T002 two' >&8
wait_for 30 signal '2:delivered=T002'
wait_for 30 asked_times 3
touch go
wait_for 30 signal '2:stuck=which of the two files is meant?'
echo 'tell 2 1 It is a.c; say <promise>DONE</promise> when it is done.' >&8
wait_for 30 signal '2:told=1'
wait_for 30 signal '2:done=T002'
echo 'assign 3 T003 three' >&8
wait_for 30 signal '3:blocked=too long'
is "$(grep -v '^1:ready=' signals)" "1:delivered=T001
1:progress=90
1:done=
2:delivered=T002
2:stuck=which of the two files is meant?
2:told=1
2:done=T002
3:delivered=T003
3:blocked=too long" "every turn has its own words, once"
is "$(asked)" 5 "the model was asked once for every step"
ok "the second task was typed as it is" cmp <(printf '%s' "$(sed 's/\t/    /g' two)") <(prompt_after_clear 2)
ok "and the third, of $(wc -c <three) bytes" cmp <(printf '%s' "$(sed 's/\t/    /g' three)") <(prompt_after_clear 4)
not_ok "the second conversation does not know the first" told 2 'T001'
ok "the answer is in the second" told 3 'It is a.c'
like "$(find "$HOME/.claude/projects" -name '*.jsonl' | wc -l)" '^ *3$' "there are three conversations"
echo end >&8
exec 8>&-
wait "$pid"
is "$(tail -n 1 signals)" ended "told to leave, it leaves"
is "$(cat errors)" "" "nobody complained"
model_end
no_leftovers "nothing goes on"
done_testing
