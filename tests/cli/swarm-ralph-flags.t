#!/usr/bin/env bash
# The table of ralph mode activation, and the scenarios: missing prompt file, high iteration warning.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
run "$SWARM" spawn --name agent --ralph --max-iterations 10 -- claude
exit_is 1 "--ralph without --prompt-file"
is "$err" "swarm: error: --ralph requires --prompt-file" "says what is missing"
run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md -- claude
exit_is 1 "--ralph without --max-iterations"
is "$err" "swarm: error: --ralph requires --max-iterations" "says what is missing"
run "$SWARM" spawn --name agent --ralph -- claude
is "$err" "swarm: error: --ralph requires --prompt-file" "the prompt file first"
run "$SWARM" spawn --ralph --prompt-file ./missing.md --max-iterations 10 -- claude
exit_is 1 "missing prompt file"
is "$err" "swarm: error: prompt file not found: ./missing.md" "is named as it was given"
if [[ $EUID -ne 0 ]]; then
	touch secret && chmod 000 secret
	run "$SWARM" spawn --name agent --ralph --prompt-file secret --max-iterations 10 -- claude
	is "$err" "swarm: error: cannot read prompt file: secret" "an unreadable one is another matter"
fi
run "$SWARM" spawn --name agent --ralph --prompt-file . --max-iterations 10 -- claude
is "$err" "swarm: error: cannot read prompt file: ." "a directory cannot be read, in the seed's words"
run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 10 --done-pattern '(' -- true
exit_is 2 "W27: a bad pattern is refused before anything starts"
like "$err" '^swarm: error: --done-pattern: ' "it says which option"
run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 0 -- true
exit_is 2 "no iterations are none"
run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 10
is "$err" "swarm: error: no command provided (use -- command...)" "nothing to run"
is "$(ls "$RALPH_HOME" 2>/dev/null)" "" "none of them left anything"

run "$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 100 --done-pattern finished -- \
	"$AGENT" -e 'println finished'
exit_is 0 "high iteration warning: the worker still spawns"
is "$err" "swarm: warning: high iteration count (>50) may consume significant resources" "with the warning"
like "$out" '^spawned agent \(tmux: swarm:agent\) \[ralph mode: iteration 1/100\]' "and the line"
run "$SWARM" spawn --name fifty --ralph --prompt-file PROMPT.md --max-iterations 50 --done-pattern finished -- \
	"$AGENT" -e 'println finished'
is "$err" "" "fifty are not too many"
done_testing
