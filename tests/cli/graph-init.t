#!/usr/bin/env bash
# A graph to begin with, and recipes that call it, also with the real just where there is one.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
g init
exit_is 0 "init"
like "$out" '^made task-graph.yaml'$'\n''made justfile' "makes two files"
g validate
exit_is 0 "the graph is right"
claims T-001 "and can be worked through"
g reset T-001
recipes='ralph prompt task-complete task-reset dag-status dag-refresh worktree-new worktree-list worktree-remove ralph-status ralph-logs'
for recipe in $recipes; do
	like "$(cat justfile)" $'\n'"$recipe( [^:]*)?:"$'\n' "there is a recipe $recipe"
done
cp justfile before
g init
exit_is 0 "a second time"
like "$out" 'task-graph.yaml is there already' "the graph stays"
is "$(cat justfile)" "$(cat before)" "and so does the justfile"
is "$(cat ralph.just)" "$(cat before)" "beside which the recipes are to be imported"

if command -v just >/dev/null; then
	mkdir "$T/bin"
	ln -s "$RALPH" "$T/bin/ralph"
	export PATH="$T/bin:$PATH"
	run just prompt
	exit_is 0 "just prompt"
	like "$out" '^Your task: T-001 - ' "claims"
	run just task-reset T-001
	exit_is 0 "just task-reset"
	head -c 600 /dev/zero | tr '\0' x >README.md
	run just task-complete T-001
	exit_is 0 "just task-complete"
	run just task-complete T-002
	run just prompt
	exit_is 1 "just prompt with nothing left"
	is "$err" "all tasks complete" "says what ralph says"
	run just dag-status
	like "$out" '^Tasks: 2: 2 complete' "just dag-status"
	run just dag-refresh
	exit_is 0 "just dag-refresh"
	git add -A
	git commit -qm x
	run just worktree-new x
	exit_is 0 "just worktree-new"
	run just worktree-list
	like "$out" '/repo-x  feature/x' "just worktree-list"
	run just worktree-remove x
	exit_is 0 "just worktree-remove"
	run just ralph-status
	exit_is 1 "just ralph-status"
	printf 'nodes:\n- {id: T-7}\n' >task-graph.yaml
	printf '#!/bin/sh\ncat >seen\nexec ralph graph complete T-7\n' >"$T/bin/claude"
	chmod +x "$T/bin/claude"
	run just ralph --delay 0
	exit_is 0 "just ralph"
	like "$out" 'T-7 completed.*all tasks complete' "works through the graph"
	run just ralph-status
	exit_is 0 "just ralph-status afterwards"
	run_bg timeout 90 just ralph-logs
	wait_for 60 said "$T/bg.$bg.out" '"task_id":"T-7","action":"completed"' && pass "just ralph-logs"
	kill "$bg"
	end_bg 20 "$bg"
else
	pass "with the real just # SKIP it is not installed"
fi
done_testing
