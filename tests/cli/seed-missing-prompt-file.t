#!/usr/bin/env bash
# Scenario: Missing prompt file; the tables of what --ralph needs and of prompt files.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts' >claude.txt
run swarm spawn --ralph --prompt-file ./missing.md --max-iterations 10 -- claude
is "$status $out$err" "1 swarm: error: prompt file not found: ./missing.md" "missing prompt file"
run swarm spawn --name agent --ralph --max-iterations 10 -- claude
is "$status $out$err" "1 swarm: error: --ralph requires --prompt-file" "--ralph without --prompt-file"
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md -- claude
is "$status $out$err" "1 swarm: error: --ralph requires --max-iterations" "--ralph without --max-iterations"
mkdir directory.md
run swarm spawn --name agent --ralph --prompt-file ./directory.md --max-iterations 10 -- claude
is "$status $out$err" "1 swarm: error: cannot read prompt file: ./directory.md" "prompt file unreadable"
# To root, too, when it may not read what it may not.
as_anybody=()
[[ $EUID -ne 0 ]] || as_anybody=(setpriv --bounding-set "-dac_override,-dac_read_search")
echo secret >secret.md && chmod 000 secret.md
run "${as_anybody[@]}" "$T/bin/swarm" spawn --name agent --ralph --prompt-file ./secret.md --max-iterations 10 -- claude
is "$status $out$err" "1 swarm: error: cannot read prompt file: ./secret.md" "to the letter where permissions are missing"
not_ok "nothing was started" test -e starts

echo 'count starts; when-iteration 2 sh rm PROMPT.md' >claude.txt
run swarm spawn --name deleted --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
exit_is 1 "prompt file deleted mid-loop: exit 1"
like "$err" "^swarm: error: prompt file not found: $PWD/PROMPT.md(
|\$)" "it says so"
is "$(state_of deleted '[.status, .current_iteration] | join(" ")')" "failed 2" "the state is failed"
echo again >PROMPT.md
echo 'sh rm PROMPT.md; sh mkdir PROMPT.md' >claude.txt
run swarm spawn --name unreadable --ralph --prompt-file ./PROMPT.md --max-iterations 10 -- claude
exit_is 1 "prompt file unreadable mid-loop: exit 1"
like "$err" "^swarm: error: cannot read prompt file: $PWD/PROMPT.md" "it says so"
no_leftovers "nothing goes on"
done_testing
