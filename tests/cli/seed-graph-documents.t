#!/usr/bin/env bash
# The plan of the loop over a graph asked for a recipe, for a manual, and for answers.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
g init
exit_is 0 "init"
like "$(cat justfile)" $'\nralph \\*args:\n    @ralph graph run --failures-ok ' "just ralph runs the loop"
like "$(cat justfile)" $'\nprompt \\*args:\n    @ralph graph prompt ' "just prompt claims a task"
like "$(cat justfile)" $'\ntask-complete id \\*args:\n    @ralph graph complete ' "just task-complete completes one"
like "$(cat justfile)" $'\ntask-reset id \\*args:\n    @ralph graph reset ' "just task-reset gives it back"
like "$(cat justfile)" $'\ndag-status \\*args:\n    @ralph graph status ' "just dag-status shows how all stand"
like "$(cat justfile)" $'\nralph-status:\n    @ralph graph status --stale-after 1h\n' "a loop that is silent for an hour is stale"
guide=$(cat "$root/doc/GRAPH.md")
for part in '## Begin' '## How an iteration ends' '## How the loop ends' '## Limits' '## Watching it'; do
	like "$guide" $'\n'"$part"$'\n' "the guide has: $part"
done
for question in R1 R2 R3 R4 R5; do
	like "$guide" $'\n\\*\\*'"$question"'\. [^*]+\*\*' "the guide answers $question"
done
done_testing
