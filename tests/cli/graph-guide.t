#!/usr/bin/env bash
# The commands of doc/GRAPH.md do what it says when they are pasted, one block after the other; who makes a worktree
# before the graph is committed is told what to type.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/graph.sh"

# block WORD: the code of the guide's first block that has it
block() {
	awk -v word="$1" '/^```sh$/ { text = ""; on = 1; next } /^```$/ { if (on && index(text, word)) { printf "%s", text; exit } on = 0; next } on { text = text $0 "\n" }' \
		"$root/doc/GRAPH.md"
}
mkdir path
ln -s "$RALPH" path/ralph
cat >path/claude <<'X'
#!/bin/sh
cat >/dev/null
touch README.md
ralph graph complete "$RALPH_TASK"
X
chmod +x path/claude
PATH=$PWD/path:$PATH
repo
git commit -q --allow-empty -m first

g init
ok "the graph's first line names a command that there is" grep -q "'ralph graph help'" task-graph.yaml
g worktree new early
exit_is 0 "a worktree before the graph is committed"
like "$err" "warning: there is no task-graph.yaml in it, .* type: git add task-graph.yaml && git commit " "has no graph, which is told"
typed=${err#*type: }
run bash -euc "$typed"
exit_is 0 "with what to type"
ok "which brings it there" test -s ../repo-early/task-graph.yaml
git rm -q --cached task-graph.yaml && git commit -qm again
g worktree new later
like "$err" 'git add task-graph.yaml' "it is told again when git forgot the graph"
rm -f task-graph.yaml justfile

run bash -euc "$(block 'graph init')"
exit_is 0 "what the guide begins with"
run bash -euc "$(block 'worktree new'); ralph wait repo-api-graph"
exit_is 0 "and its worktree"
unlike "$err" warning "which has a graph"
g worktree new more
is "$err" "" "once it is committed, nothing is told"
no_leftovers "nothing goes on"
done_testing
