#!/usr/bin/env bash
# The loop stops as soon as what the agent writes matches the done pattern.
. "$(dirname "$0")/../cli/lib.sh"

echo 'work' >prompt
wide=$(printf 'x%.0s' {1..110})

# done_by NAME WHAT OPTION... -- CMD: the pattern matches in the first of five iterations.
done_by() {
	local name=$1 what=$2
	shift 2
	run "${loop[@]}" "$name" --max-iterations 5 "$@"
	if [[ $status -eq 0 && $(spans "$out") == "[ralph] $name: starting iteration 1/5
[ralph] $name: done pattern matched, stopping loop
[ralph] $name: iteration 1 completed (exit: "*"
[ralph] $name: loop complete after 1 iteration" ]]; then
		pass "$what"
	else
		fail "$what" "$(printf 'exit %s\n%s\n%s' "$status" "$out" "$err")"
	fi
}

# not_done_by NAME WHAT OPTION... -- CMD: it does not, in two iterations.
not_done_by() {
	local name=$1 what=$2
	shift 2
	run "${loop[@]}" "$name" --max-iterations 2 "$@"
	if [[ $status -eq 10 && $out != *"done pattern matched"* && $out == *"iteration 2 completed (exit: 0"* ]]; then
		pass "$what"
	else
		fail "$what" "$(printf 'exit %s\n%s\n%s' "$status" "$out" "$err")"
	fi
}

pattern=(--done-pattern 'All tasks complete')
done_by line "a line" "${pattern[@]}" -- "$AGENT" -e 'println so: All tasks complete.'
is "$(field line '[.status, .exit_reason] | join(" ")')" "stopped done_pattern" "the state says why it ended"
done_by stderr "a line on stderr" "${pattern[@]}" -- "$AGENT" -e 'err All tasks complete'
done_by half "a last line without its newline" "${pattern[@]}" -- "$AGENT" -e 'println x; half All tasks complete'
done_by colour "a coloured line" "${pattern[@]}" -- "$AGENT" -e 'colour All tasks complete'
done_by pieces "a line in pieces" "${pattern[@]}" -- "$AGENT" -e 'half All ta; sleep 20; half sks com; sleep 20; println plete'
done_by hanging "while the agent still runs" "${pattern[@]}" -- "$AGENT" -e 'println All tasks complete; hang'
done_by failing "also when the agent fails then" "${pattern[@]}" -- "$AGENT" -e 'println All tasks complete; exit 3'
done_by pty "on a terminal" --pty "${pattern[@]}" -- "$AGENT" -e 'println All tasks complete'
done_by wrapped "across the terminal's right edge" --pty "${pattern[@]}" -- "$AGENT" -e "println $wide All tasks complete"
done_by python "Python's own syntax" --done-pattern '(?P<n>\d+)/(?P=n) done\Z' -- "$AGENT" -e 'println 7/8 done; println 8/8 done'
not_done_by other "something else does not" "${pattern[@]}" -- "$AGENT" -e 'println All tasks incomplete'
not_done_by apart "nor words on two lines" "${pattern[@]}" -- "$AGENT" -e 'println All tasks; println complete'

cat >prompt <<'TEXT'
study PLAN.md and pick the most important incomplete task
when no task is left, print on a line of its own: All tasks complete
TEXT
not_done_by echo "a prompt that is echoed does not" "${pattern[@]}" -- "$AGENT" -e 'sh cat'
cat >echo.txt <<'SCRIPT'
print >
sh read -r one; read -r two; echo "I shall $two"
SCRIPT
not_done_by echo-pty "nor one that a terminal echoes" --pty --prompt-via paste "${pattern[@]}" -- "$AGENT" echo.txt
done_by said "but the agent's own words do" "${pattern[@]}" -- "$AGENT" -e 'sh cat; println All tasks complete'
no_leftovers "nothing goes on"
done_testing
