#!/usr/bin/env bash
# A task graph that was a link when the loop began is the user's; one that becomes a link out of the repository while an
# agent works is refused, by the loop and by the agent's own commands, and nothing is written through it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/graph.sh"

repo
graph_agent
tasks a
mkdir "$T/user" && mv task-graph.yaml "$T/user/graph.yaml" && ln -s "$T/user/graph.yaml" task-graph.yaml
mkdir "$T/logs" && ln -s "$T/logs" logs
g run -- ./agent
exit_is 0 "links that were there before the loop"
like "$(cat "$T/user/graph.yaml")" 'status: complete' "are followed to the graph"
ok "and to the logs" test -s "$T/logs/ralph.jsonl"
ok "which stay links" test -L task-graph.yaml -a -L logs

rm -r task-graph.yaml logs
tasks b c
does b "cp task-graph.yaml '$T/stolen.yaml'; cp task-graph.yaml '$T/kept.yaml'; rm task-graph.yaml; ln -s '$T/stolen.yaml' task-graph.yaml
for words in 'complete b' 'reset b' prompt status; do
	ralph graph \$words >>'$T/said' 2>&1; echo \"\$words: \$?\" >>'$T/said'
done
env -i '$RALPH' graph complete b >>'$T/said' 2>&1; echo \"without its environment: \$?\" >>'$T/said'
exit 0"
run_bg "$RALPH" graph run --name work -- ./agent
ok "a new one is refused" \
	wait_for 30 said "$T/bg.$bg.err" "task-graph.yaml leads out of the project, to $T/stolen.yaml, by a link"
ok "and not written to" cmp "$T/stolen.yaml" "$T/kept.yaml"
is "$(grep -c "task-graph.yaml leads out of the project, to $T/stolen.yaml, by a link" "$T/said")" 5 \
	"nor do the agent's own commands follow it"
is "$(grep -c ': [1-9][0-9]*$' "$T/said")" 5 "which fail"
g reset b
exit_is 0 "a person's follow it"
ok "and write" grep -q 'status: ready' "$T/stolen.yaml"
cp "$T/kept.yaml" "$T/stolen.yaml"
rm task-graph.yaml && cp "$T/kept.yaml" task-graph.yaml
end_bg 90 "$bg"
ok "put back, the loop goes on" grep -q 'status: complete' task-graph.yaml

# The user's own links are followed by agents, too.
rm -r task-graph.yaml logs
tasks d
mv task-graph.yaml "$T/user/graph.yaml" && ln -s "$T/user/graph.yaml" task-graph.yaml
does d "ralph graph complete d"
g run --name again -- ./agent
exit_is 0 "an agent's command follows a link that was there before its loop"
like "$(cat "$T/user/graph.yaml")" 'status: complete' "and writes there"
done_testing
