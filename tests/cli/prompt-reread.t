#!/usr/bin/env bash
# The prompt file is read anew for every iteration, wherever the agent works.
. "$(dirname "$0")/../cli/lib.sh"

echo 'Do task A' >prompt
mkdir elsewhere
cat >agent.txt <<'SCRIPT'
sh cat >got.$RALPH_ITERATION
when-iteration 1 sh echo 'Do task B' >../prompt
when-iteration 2 sh printf 'no newline,\0\377 any byte' >../prompt
SCRIPT
run "${loop[@]}" demo --max-iterations 3 --cwd elsewhere -- "$AGENT" ../agent.txt
exit_is 0 "the loop goes through"
is "$(cat elsewhere/got.1)" "Do task A" "the first agent gets the prompt"
is "$(cat elsewhere/got.2)" "Do task B" "the second what was edited meanwhile"
ok "and every byte of it arrives" cmp elsewhere/got.3 prompt
no_leftovers "nothing goes on"
done_testing
