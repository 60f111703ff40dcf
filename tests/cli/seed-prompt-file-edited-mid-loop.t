#!/usr/bin/env bash
# Scenario: Prompt file edited mid-loop.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 1 wait-file go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
wait_for 20 agents 1
# As an editor does it: a new file under the old name.
echo 'Do task B' >PROMPT.md.new && mv PROMPT.md.new PROMPT.md
touch go
end_bg 20 "$bg"
is "$(cat prompt.1)" "Do task A" "the first agent received the old text"
is "$(cat prompt.2)" "Do task B" "the new iteration the new one"
no_leftovers "nothing goes on"
done_testing
