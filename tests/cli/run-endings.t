#!/usr/bin/env bash
# How `ralph run` ends: exit code, last line, status, ls and wait say the same, and what was not
# done is not called complete.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
export ALERTS=$T/alerts

# ends NAME CODE REASON LAST-LINE OPTION...: runs it, and asks all who could say otherwise.
ends() {
	local name=$1 code=$2 reason=$3 last=$4
	shift 4
	: >"$ALERTS"
	# shellcheck disable=SC2016
	run "${loop[@]}" "$name" --max-failures unlimited --on-alert 'jq -r .text >>"$ALERTS"' "$@"
	exit_is "$code" "$name: exit code $code"
	is "${out##*$'\n'}" "[ralph] $name: $last" "$name: the last line"
	run "$RALPH" wait "$name"
	exit_is "$code" "$name: wait agrees"
	like "$out" "^$name: [a-z]+ \($reason\)$" "$name: and says why"
	is "$(field "$name" '[.exit_reason, .exit_code] | join(" ")')" "$reason $code" "$name: so does status --json"
	run "$RALPH" status "$name"
	like "$out" "Outcome: .* \(exit code $code\)" "$name: and status"
	run "$RALPH" ls
	is "$(awk -v n="$name" '$1 == n { print $4 }' <<<"$out")" "$reason" "$name: and ls"
	if ((code == 0)); then
		is "$(cat "$ALERTS")" "" "$name: there is no alert"
	else
		ok "$name: there is an alert" wait_for 20 test -s "$ALERTS"
		is "$(cat "$ALERTS")" "$last" "$name: in the same words"
	fi
}

ends fine 0 max_iterations "2 iterations done" --max-iterations 2 -- true
ends one 0 max_iterations "1 iteration done" --max-iterations 1 -- true
ends failed 11 some_failed "1 of 2 iterations failed" --max-iterations 2 -- \
	"$AGENT" -e 'when-iteration 1 exit 3'
ends never 10 not_done "2 iterations used, and the done pattern never matched" \
	--max-iterations 2 --done-pattern 'all is done' -- echo nope
ends neither 10 not_done "2 iterations used, and the done pattern never matched; 1 of 2 failed" \
	--max-iterations 2 --done-pattern 'all is done' -- "$AGENT" -e 'when-iteration 2 exit 1'
ends matched 0 done_pattern "loop complete after 2 iterations" --max-iterations 3 \
	--done-pattern 'all is done' -- "$AGENT" -e 'when-iteration 1 exit 1; println all is done'
ends late 10 out_of_time "max runtime reached after 1 iteration" \
	--max-iterations 3 --max-runtime 1s -- "$AGENT" -e 'hang'
ends slow 11 some_failed "1 of 1 iterations failed" --max-iterations 1 --iteration-timeout 1s -- \
	"$AGENT" -e 'hang'
ends silent 11 some_failed "1 of 1 iterations failed" --max-iterations 1 --inactivity-timeout 1 -- \
	"$AGENT" -e 'hang'
ends blinking 11 some_failed "1 of 1 iterations failed" --pty --max-iterations 1 --stall-timeout 1s -- \
	"$AGENT" -e 'println thinking; spinner 60000'

# On a terminal nobody can tell whether an unknown agent had finished.
ends idle 11 some_failed "2 of 2 iterations ended idle" --pty --max-iterations 2 --inactivity-timeout 1 -- \
	"$AGENT" -e 'println thinking; hang'
ends halfway 0 max_iterations "2 iterations done; 1 of 2 ended idle" --pty --max-iterations 2 \
	--inactivity-timeout 1 -- "$AGENT" -e 'when-iteration 1 hang'

# A prompt command that has nothing left: complete only if nothing failed.
cat >next <<'SCRIPT'
#!/bin/sh
echo x >>given
[ "$(wc -l <given)" -gt 2 ] || exec echo 'do it'
echo 'all tasks complete' >&2
exit 1
SCRIPT
chmod +x next
run "$RALPH" run --name source --prompt-command ./next --delay 0 -- true
exit_is 0 "a source that has nothing left is the end"
is "$(tail -n 2 <<<"$out" | head -n 1)" "[ralph] source: all tasks complete" "and complete"
rm given
run "$RALPH" run --name sour --prompt-command ./next --delay 0 -- "$AGENT" -e 'when-iteration 1 exit 1'
exit_is 11 "unless an iteration failed"
is "$(tail -n 2 <<<"$out" | head -n 1)" "[ralph] sour: 1 of 2 iterations failed" "which is said"

# A loop whose iterations are used has nothing to resume.
run "$RALPH" resume failed
like "$err" 'is not paused \(it is over: some_failed\)$' "a loop whose iterations are used is over, not complete"

# `swarm` keeps the words and the exit code of its original.
run "$SWARM" spawn --ralph --name worker --prompt-file prompt --max-iterations 2 -- "$AGENT" -e 'when-iteration 1 exit 3'
exit_is 0 "swarm: exit code 0"
is "${out##*$'\n'}" "[ralph] worker: loop complete after 2 iterations" "swarm: in its original's words"
is "$(field worker '[.status, .exit_reason, .exit_code] | join(" ")')" "stopped max_iterations 0" "swarm: and status"
no_leftovers "nothing goes on"
done_testing
