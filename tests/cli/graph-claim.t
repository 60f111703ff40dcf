#!/usr/bin/env bash
# A task is claimed, worked on, completed; then the next one; then nothing is left.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"

g prompt
exit_is 13 "without a graph nothing is claimed"
like "$err" 'there is no task-graph.yaml here or above' "that is said"
repo
graph '# by hand
nodes:
  - id: T-2
    title: Second
    priority: 2
  - id: T-1   # the first
    title: "First"
    priority: 1
    story: S-1
    description: |
      What is to be done.
edges: []'
git add -A
git commit -qm graph

g prompt --preview
exit_is 0 "a preview"
like "$out" '^Next task: T-1 - First' "shows the next one"
like "$out" $'\n  | What is to be done.' "with what is to be done"
is "$(git status --porcelain)" "" "and changes nothing that git sees"
is "$(now T-1)" ready "nor claims anything"
not_ok "nor writes anything" test -e logs

mkdir -p deep/er
cd deep/er || exit 1
g prompt
exit_is 0 "the next task is claimed, from any directory below"
cd ../..
like "$out" '^Your task: T-1 - First'$'\n' "its prompt is printed"
is "$err" "claimed T-1" "and stderr says so"
is "$(git diff -U0 | grep '^[-+] ' | sed "s/'20.*'/'NOW'/")" "+    status: in-progress
+    claimed_at: 'NOW'
+    claimed_by: repo" "nothing else in the graph changes"
g prompt --current
exit_is 0 "what is in progress here"
like "$out" '^Your task: T-1 - First'$'\n' "can be printed again"

g prompt
like "$out" '^Your task: T-2 - Second'$'\n' "then comes the next one"
like "$err" 'still in progress in this work tree: T-1 ' "with a word on the other"
g prompt
exit_is 1 "when nothing is ready: 1"
is "$err" "blocked: 2 in progress (T-2, T-1)" "and stderr says why"
is "$out" "" "nothing on stdout"
g prompt T-1
exit_is 2 "a task that is taken cannot be had: 2"
g prompt T-9
exit_is 2 "nor one that is not there: 2"
g prompt --preview --current
exit_is 2 "wrong usage: 2"

g complete T-1
exit_is 0 "complete"
is "$out" "T-1 is complete" "says so"
g complete T-1
exit_is 0 "twice is no error"
g reset T-2
exit_is 0 "reset"
claims T-2 "which can be claimed again then"
g complete T-2
g prompt
exit_is 1 "when all is done: 1"
is "$err" "all tasks complete" "to the letter"
g prompt --preview
exit_is 1 "a preview says the same"
is "$err" "all tasks complete" "to the letter"
g prompt --current
exit_is 1 "and nothing is in progress"

is "$(jq -r '[.event, .task_id, .old_status, .new_status, .worktree] | map(. // "-") | join(" ")' logs/task-audit.jsonl)" \
	"claimed T-1 pending in-progress repo
claimed T-2 pending in-progress repo
claim-blocked - - - repo
claim-blocked T-1 - - repo
claim-blocked T-9 - - repo
completed T-1 in-progress complete repo
reset T-2 in-progress ready repo
claimed T-2 ready in-progress repo
completed T-2 in-progress complete repo" "all of it is in the audit log"
g audit -n 1
like "$out" 'completed +T-2 +in-progress -> complete  repo  \(ralph graph complete T-2\)$' "which can be read"
is "$(wc -l <<<"$out")" 1 "as much of it as one likes"
is "$(git status --porcelain)" " M task-graph.yaml" "logs are not for git"
done_testing
