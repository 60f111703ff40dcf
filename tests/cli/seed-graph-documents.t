#!/usr/bin/env bash
# The plan of the loop over a graph asked for a recipe, for a manual, and for answers.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
g init
exit_is 0 "init"
like "$(cat justfile)" $'\nralph \\*args:\n    @ralph graph run --failures-ok ' "just ralph runs the loop"
like "$(cat justfile)" $'\nprompt \\*args:\n    @ralph graph prompt \\{\\{args\\}\\}\n' "just prompt claims a task"
like "$(cat justfile)" $'\ntask-complete id \\*args:\n    @ralph graph complete \\{\\{id\\}\\} \\{\\{args\\}\\}\n' "just task-complete completes one"
like "$(cat justfile)" $'\ntask-reset id \\*args:\n    @ralph graph reset \\{\\{id\\}\\} \\{\\{args\\}\\}\n' "just task-reset gives it back"
like "$(cat justfile)" $'\ndag-status \\*args:\n    @ralph graph status \\{\\{args\\}\\}\n' "just dag-status shows how all stand"
like "$(cat justfile)" $'\nralph-status:\n    @ralph graph status --stale-after 1h\n' "a loop that is silent for an hour is stale"
guide=$(cat "$root/doc/GRAPH.md")
for part in '## Begin' '## How an iteration ends' '## How the loop ends' '## Limits' '## Watching it'; do
	like "$guide" $'\n'"$part"$'\n' "the guide has: $part"
done
section() { sed -n "/^## $1\$/,/^## /p" "$root/doc/GRAPH.md"; }
for word in 'ralph graph init' 'ralph graph run' 'just ralph' --story --detach; do
	like "$(section Begin)" "$word" "how to run it: $word"
done
for word in logs/ralph.jsonl logs/ralph.heartbeat 'ralph graph status --stale-after' 'just ralph-logs' 'ralph attach'; do
	like "$(section 'Watching it')" "$word" "how to monitor it: $word"
done
for question in R1 R2 R3 R4 R5; do
	# Its heading, a question, and an answer behind that.
	like "$guide" $'\n\\*\\*'"$question"'\. [^*]+\*\* \*[^*]+\?\* [A-Z`][^*]{20}' "the guide answers $question"
done
done_testing
