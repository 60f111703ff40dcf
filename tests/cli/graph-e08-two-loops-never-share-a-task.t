#!/usr/bin/env bash
# E8: two worktrees claimed the same task.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
tasks T-{1..12}
git add -A && git commit -qm graph
g worktree new one
agent_source=$(cat agent)
for d in "$PWD" "$PWD-one"; do
	(cd "$d" && mkdir -p "do" && printf '%s\n' "$agent_source" >agent && chmod +x agent)
	# shellcheck disable=SC2016 # for the agent
	printf 'echo "$RALPH_TASK %s" >>%q\nsleep 0.02\nralph graph complete "$RALPH_TASK"\n' "${d##*/}" "$T/all" >"$d/do/any"
	sed -i 's#^if .*#. ./do/any#' "$d/agent"
done
run_bg "$RALPH" graph run --delay 0 -- ./agent
first=$bg
cd ../repo-one || exit 1
run_bg "$RALPH" graph run --delay 0 -- ./agent
end_bg 60 "$bg"
exit_is 0 "one loop ends"
end_bg 60 "$first"
exit_is 0 "and the other"
is "$(cut -d' ' -f1 "$T/all" | sort -V | xargs)" "$(echo T-{1..12})" "every task was done, and once"
is "$(cut -d' ' -f2 "$T/all" | sort -u | xargs)" "repo repo-one" "by both of them"
no_leftovers "nothing goes on"
done_testing
