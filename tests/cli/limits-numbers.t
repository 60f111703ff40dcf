#!/usr/bin/env bash
# A number that a limit gave back: whatever names an iteration has its own number, by which 'ralph logs' knows it, and
# the count out of --max-iterations is beside it.  Without one nothing of this is shown.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/todo.sh"

# The second start meets a limit.
cat >claude <<'X'
#!/bin/sh
cat >/dev/null
echo x >>starts
[ "$(wc -l <starts)" -ne 2 ] || { echo 'API Error: Rate limit reached, retry after 1s'; exit 1; }
X
chmod +x claude
echo 'do it' >prompt
run "${loop[@]}" a --max-iterations 3 -- ./claude -p
exit_is 0 "three iterations, and one that a limit stopped"
is "$(grep -oE '(starting )?iteration [0-9]+( \([0-9]/[0-9]\)|/[0-9]| limited| completed)|[0-9] iterations done' <<<"$out")" \
	"starting iteration 1/3
iteration 1 completed
starting iteration 2/3
iteration 2 limited
starting iteration 3 (2/3)
iteration 3 completed
starting iteration 4 (3/3)
iteration 4 completed
3 iterations done" "the console has one number for each"
is "$(grep -oE '\[START\] .*|\[END\] iteration [0-9]+|\[DONE\] .*' "$RALPH_HOME/ralph/a/iterations.log")" "[START] iteration 1/3
[END] iteration 1
[START] iteration 2/3
[END] iteration 2
[START] iteration 3 (2/3)
[END] iteration 3
[START] iteration 4 (3/3)
[END] iteration 4
[DONE] loop complete after 3 iterations reason=max_iterations" "so has iterations.log"
is "$("$RALPH" logs --list a | awk '$1 ~ /^[0-9]/ { print $1 }' | xargs)" "1 2 3 4" "as 'ralph logs' has them"
run "$RALPH" status a
like "$out" $'\nIteration: 4 \\(3/3\\)\n' "status has both"
run "$RALPH" ls
like "$out" 'a +complete +3/3 ' "ls has the count"
run "$SWARM" ralph list
like "$out" ' 3/3 ' "so has swarm"

# a graph
git init -q .
rm starts
printf 'nodes:\n  - {id: T-1}\n  - {id: T-2, dependencies: [T-1]}\n' >task-graph.yaml
# shellcheck disable=SC2016 # for the agent
printf '#!/bin/sh\n./claude || exit 1\nralph graph complete "$RALPH_TASK"\n' >agent
chmod +x agent
run "$RALPH" graph run --name g --max-iterations 9 -- ./agent
exit_is 0 "a graph"
like "$out" 'iteration 3: T-2 completed' "names each by its number"
like "$out" '3 iterations: 2 completed, 0 failed' "and sums up the numbers that were told"
run "$RALPH" status g
like "$out" $'\nIteration: 3 \\(2/9\\)\n' "status has both, too"

# a list
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
if [ "$TASK" = T001 ] && once broken; then kill -9 $PPID; else done_by_tag; fi
END
todo --max-iterations 2
exit_is 0 "a list whose first task took two attempts"
like "$out" 'T001 \(iteration 1/2\)' "begins with the count"
like "$out" 'T001 \(iteration 2, 1/2\), attempt 2' "a further attempt has a number of its own"
like "$out" 'T002 \(iteration 3, 2/2\)' "and so have the next"
like "$(cat ai/ralph/activity.md)" '## Iteration 3 ' "the one in activity.md"
run "$RALPH" status "$name"
like "$out" $'\nIteration: 3 \\(2/2\\)\n' "and of status"
no_leftovers "nothing goes on"
done_testing
