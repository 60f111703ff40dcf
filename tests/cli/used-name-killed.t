#!/usr/bin/env bash
# A kill -9 while a used name is taken over leaves the old loop visible, with all it wrote.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" -e 'when-iteration 2 touch second; when-iteration 2 hang'
wait_for 20 test -e second
"$RALPH" stop agent >said
rm second

# The points between the first move and the last: every one of them.
hit=0
for point in {1..20}; do
	[[ -e $RALPH_HOME/loops/agent/journal.jsonl ]] || break
	before=$(sha256sum <"$RALPH_HOME/loops/agent/journal.jsonl")
	RALPH_FAULT=KILL@$point run timeout 90 "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'println new'
	[[ $status -eq 137 ]] || break
	# Once it is in the archive, the new one has the name.
	if [[ ! -e $RALPH_HOME/loops/agent/journal.jsonl || $(sha256sum <"$RALPH_HOME/loops/agent/journal.jsonl") != "$before" ]]; then
		ok "killed at point $point: the old loop is in the archive" grep -qs . "$RALPH_HOME"/archive/agent.*/journal.jsonl
		break
	fi
	hit=$((hit + 1))
	run "$RALPH" status agent
	is "$status $(grep ^Status <<<"$out")" "0 Status: stopped" "killed at point $point: the loop is shown"
	is "$("$RALPH" ls --format names)" agent "killed at point $point: and listed"
done
ok "(points came before the old loop was moved)" test "$hit" -ge 5

# Its views were moved, it was not: it can be resumed, and has its log again.
run_bg "${loop[@]}" other --max-iterations 3 -- "$AGENT" -e 'when-iteration 2 touch second; when-iteration 2 hang'
wait_for 20 test -e second
"$RALPH" stop other >said
mv "$RALPH_HOME/ralph/other" "$RALPH_HOME/loops/other/ralph"
run "$RALPH" logs other
exit_is 0 "its output can be read"
run timeout 90 "$RALPH" resume --foreground other
exit_is 0 "it can be resumed"
is "$(grep -c 'START. iteration 1/3' "$RALPH_HOME/ralph/other/iterations.log")" 1 "its log has its beginning"
not_ok "nothing is left where the views were" test -e "$RALPH_HOME/loops/other/ralph"
no_leftovers "nothing goes on"
done_testing
