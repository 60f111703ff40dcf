#!/usr/bin/env bash
# W2: the done pattern is found whenever the agent says it, and never because the prompt does.
. "$(dirname "$0")/../cli/seed.sh"

echo 'Work. When nothing is left, say: All tasks complete' >PROMPT.md
done_by() {
	echo "$2" >claude.txt
	run swarm spawn --name "$1" --ralph --prompt-file ./PROMPT.md --max-iterations 2 --grace 1s --done-pattern 'All tasks complete' -- claude
	is "$status $(state_of "$1" '"\(.current_iteration) \(.exit_reason)"')" "0 1 done_pattern" "$3"
}
done_by exits 'println All tasks complete' "(a) printed just before the exit"
wide=$(printf 'x%.0s' {1..70})
done_by wide "println $wide All tasks complete" "(d) across the right edge of the screen"
done_by scrolls 'println All tasks complete; sh seq 1 5000' "(e) and scrolled far away at once"
echo 'println I shall see to it' >claude.txt
run swarm spawn --name echoed --ralph --prompt-file ./PROMPT.md --max-iterations 2 --done-pattern 'All tasks complete' -- claude
is "$status $(state_of echoed '"\(.current_iteration) \(.exit_reason)"')" "0 2 max_iterations" "(c) not by the prompt on the screen"
begin=$EPOCHREALTIME
done_by idles 'println All tasks complete; hang' "(f) by an agent that idles then"
ok "which wastes no minutes" took_less 30 "$begin"

# The prompt it was given and its answer come as one piece: no moment lies between them.
cat >"$T/bin/claude" <<'SCRIPT'
#!/bin/bash
stty raw -echo
printf '\e[?2004h bypass permissions on\r\n> '
IFS= read -r -d '~' _
IFS= read -r -d '~' text
IFS= read -r -N 1 _
printf '%s\r\n\r\nAll tasks complete\r\n' "${text%$'\e'*}"
exec "$AGENT" -e hang
SCRIPT
done_by answers '' "(b) in one breath with the prompt, by an agent that goes on"
no_leftovers "nothing goes on"
done_testing
