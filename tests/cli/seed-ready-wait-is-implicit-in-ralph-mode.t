#!/usr/bin/env bash
# Edge case: --ready-wait is implicit in ralph mode (always waits for ready).
. "$(dirname "$0")/../cli/seed.sh"

# What is typed before it is ready is lost to it.
cat >"$T/bin/claude" <<'SCRIPT'
#!/bin/bash
stty raw -echo
for part in settings plugins skills hooks servers memory history themes models; do
	printf 'loading %s\r\n' "$part"
	IFS= read -r -N 1 -t 0.1 key && touch early
done
printf '\e[?2004h bypass permissions on\r\n> '
IFS= read -r -d '~' _
IFS= read -r -d '~' text
printf '%s' "$text"
IFS= read -r -N 1 _
printf '%s' "${text%$'\e'*}" >"got.$RALPH_ITERATION"
SCRIPT
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
exit_is 0 "it need not be said"
not_ok "nothing is typed before the agent is ready" test -e early
is "$(cat got.1 got.2)" "Do task ADo task A" "then it gets its prompt, in every iteration"
run swarm spawn --name said --ralph --ready-wait --prompt-file ./PROMPT.md --max-iterations 1 -- claude
is "$status $err" "0 " "but may be said"
no_leftovers "nothing goes on"
done_testing
