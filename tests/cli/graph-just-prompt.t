#!/usr/bin/env bash
# `just ralph`, as `ralph graph init` makes it, gives the agent what the recipe `prompt` prints, and is otherwise the loop
# of `ralph graph run`: claims, verdicts, stories, worktrees, marks that are put back.
# shellcheck disable=SC2016 # for recipes and agents
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent

# The lines of a recipe, with all arguments in place of {{args}}; for machines without just.
if ! command -v just >/dev/null; then
	cat >path/just <<'END'
#!/usr/bin/env bash
recipe=$1
shift
lines=$(awk -v recipe="$recipe" '$0 ~ "^" recipe "( [^:]*)?:" { on = 1; next } /^[^ ]/ { on = 0 } on' justfile)
while read -r line; do
	line=${line#@} line=${line//'{{args}}'/"$*"}
	[[ -z $line ]] || sh -cu "$line" || exit
done <<<"$lines"
END
	chmod +x path/just
fi
cp agent path/claude # which needs no "--": just takes that away
g init
tasks T-{1..4}
git add -A && git commit -qm graph
does T-2 'exit 7'
does T-3 ':'

run just ralph --delay 0
exit_is 0 "just ralph ends well, though tasks failed"
like "$(cat seen.T-1)" $'^Your task: T-1 - ' "the prompt is that of the recipe"
like "$out" 'iteration 1: T-1 completed' "a task is complete when the graph says so"
like "$out" 'error: iteration 2: T-2 failed \(exit: 7.*it stays in progress' "a failure stays in progress"
like "$out" 'error: iteration 3: T-3 unfinished' "exit code 0 alone is no completion"
like "$out" 'blocked: 2 failed \(T-2, T-3\)' "the end says what is left"
is "$(actions)" "loop_started started completed started failed started unfinished started completed blocked" "the log has it all"
like "$(cat logs/ralph.heartbeat)" '^20[0-9-]+T[0-9:.]+Z$' "so has the heartbeat"
is "$(jq -r 'select(.event == "claimed") | .task_id' logs/task-audit.jsonl | xargs)" "T-1 T-2 T-3 T-4" "each was claimed once"
run "$RALPH" ls
like "$out" 'repo-graph' "its name is that of the graph's loop"

# A recipe of one's own.
sed -i 's/^    @ralph graph prompt/    @echo CUSTOM "rules"; ralph graph prompt/' justfile
rm -f do/*
tasks T-5 T-6
run just ralph --delay 0
exit_is 0 "with a recipe that says more"
like "$(cat seen.T-5)" $'^CUSTOM rules\nYour task: T-5 - ' "the agent reads that"
like "$(cat seen.T-6)" '^CUSTOM' "every time"
like "$out" ': all tasks complete' "to the end"

# One whose exit code a pipe hides, and that asks for a story.
sed -i 's/^    @echo CUSTOM.*/    @ralph graph prompt | sed s,^,PIPED:,/' justfile
graph 'nodes:
- {id: T-7, story: S-1}
- {id: T-8, story: S-2}'
run just ralph --delay 0 --story S-2
exit_is 0 "a pipe hides no end"
like "$out" 'T-8 completed.*: all tasks of story S-2 complete' "and the story is that of the loop"
like "$(cat seen.T-8)" '^PIPED:Your task: T-8' "whose prompt went through it"
is "$(now T-7)" ready "the other story has not begun"

# One that claims too much, fails behind its claim, or knows nothing of the graph.
loop() { run "$RALPH" graph run --delay 0 --failures-ok "$@" -- ./agent; }
tasks T-9 T-10
loop --prompt-command 'ralph graph prompt; ralph graph prompt' --max-iterations 1
is "$(now T-9) $(now T-10)" "complete ready" "a second task that it claims is given back"
tasks T-11
loop --prompt-command '[ -e once ] || { ralph graph prompt >once; exit 5; }; ralph graph prompt'
like "$out" 'error: the prompt command ended with 5: .*asking again in 1s.*T-11 completed' "one that fails has claimed nothing"
tasks T-12 T-13
loop --prompt-command 'echo "Your task: T-13"' --max-iterations 1
is "$(now T-12) $(now T-13)" "ready complete" "a task that it only names is claimed"
is "$(cat seen.T-13)" "Your task: T-13" "with the prompt as it is"
run_bg "$RALPH" graph run --prompt-command 'echo Be good' -- ./agent
wait_for 30 said "$T/bg.$bg.out" 'neither claims a task of the graph nor names one .*asking again'
pass "one that gives out nothing of the graph is no end"
kill -INT "$bg"
end_bg 30 "$bg"

# Marks of other tasks are put back.
tasks T-14 T-15
does T-14 'sed -i "s/status: ready/status: complete/" task-graph.yaml' 'ralph graph complete T-14'
loop --prompt-command 'ralph graph prompt'
like "$err" 'ALERT: T-15 was marked as complete in the graph while the agent of T-14 worked' "what an agent marks of others is told"
is "$(starts T-15)" 1 "and done all the same"

# The loop is killed: its agent keeps the task; then both are.
rm -f do/* go
tasks T-16 T-17
does T-16 'touch begun; while [ ! -e go ]; do sleep 0.1; done; ralph graph complete T-16'
run_bg "$RALPH" graph run --name k --delay 0 --prompt-command 'echo MINE; ralph graph prompt' -- ./agent
wait_for 30 test -e begun
wait_for 20 field_is k '.sessions[0].pid != null' true
crash "$bg" 2>/dev/null
g prompt T-16
exit_is 2 "an agent whose loop was killed keeps its task"
run "$RALPH" resume k
touch go
run "$RALPH" wait k
exit_is 0 "resume goes on"
is "$(starts T-16) $(starts T-17)" "1 1" "nothing was done twice"
like "$(cat seen.T-17)" '^MINE' "with the command's prompts"

# Recipes of an earlier version.
sed -i "s/^    @ralph graph run .*/    @ralph graph run --failures-ok {{args}}/" justfile
tasks T-18
run just ralph --delay 0
exit_is 0 "a justfile of an earlier version works as before"
like "$(cat seen.T-18)" '^Your task: T-18' "with prompts of its own"
no_leftovers "nothing goes on"
done_testing
