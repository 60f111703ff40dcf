#!/usr/bin/env bash
# Dependencies are added, removed and shown.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

for id in task-1 task-10 task-2 task-3 task-4 task-5; do
	ticket "$id" open 'deps: []'
done
tk dep task-2 task-10
exit_is 0 "a dependency"
is "$out" "Added dependency: task-2 -> task-10" "is said"
tk dep task-2 task-1
is "$out" "Added dependency: task-2 -> task-1" "one whose id is a part of another's is another one"
tk dep task-2 task-1
exit_is 0 "a second time"
is "$out" "Dependency already exists" "it is there already"
is "$(grep deps: .tickets/task-2.md)" "deps: [task-10, task-1]" "both are written"
tk dep task-3 k-2
is "$(grep deps: .tickets/task-3.md)" "deps: [task-2]" "with the whole id"
tk undep task-2 task-1
is "$out" "Removed dependency: task-2 -/-> task-1" "removed"
is "$(grep deps: .tickets/task-2.md)" "deps: [task-10]" "and nothing of the other one"
tk undep task-2 task-1
exit_is 1 "what is not there"
is "$out" "Dependency not found" "cannot be removed"
printf -- '---\nid: task-9\nstatus: open\ndeps: [gone]\n---\n' >.tickets/task-9.md
tk undep task-9 gone
is "$out" "Removed dependency: task-9 -/-> gone" "unless it only names no ticket"
rm .tickets/task-9.md
tk dep task-1 nope
exit_is 1 "a dependency on nothing"
is "$err" "Error: ticket 'nope' not found" "is refused"
tk dep task-1
exit_is 1 "and half a command"

tk dep task-3 task-4
tk dep task-4 task-10
tk dep task-5 task-3
tk dep task-5 task-10
tk dep tree task-5
exit_is 0 "the tree"
is "$out" 'task-5 [open] The task-5
└── task-3 [open] The task-3
    ├── task-2 [open] The task-2
    │   └── task-10 [open] The task-10
    └── task-4 [open] The task-4' "has every ticket once, where it is deepest"
tk dep tree --full task-5
is "$out" 'task-5 [open] The task-5
├── task-10 [open] The task-10
└── task-3 [open] The task-3
    ├── task-2 [open] The task-2
    │   └── task-10 [open] The task-10
    └── task-4 [open] The task-4
        └── task-10 [open] The task-10' "or wherever it occurs"
tk dep cycle
is "$out" "No dependency cycles found" "no cycle"
tk dep task-10 task-3
like "$err" 'that is a cycle' "one is warned about when it is made"
tk dep cycle
exit_is 0 "and shown"
is "$out" 'Cycle 1: task-10 -> task-3 -> task-2 -> task-10
  task-10  [open] The task-10
  task-3   [open] The task-3
  task-2   [open] The task-2

Cycle 2: task-10 -> task-3 -> task-4 -> task-10
  task-10  [open] The task-10
  task-3   [open] The task-3
  task-4   [open] The task-4' "with its members"
tk dep tree task-10
exit_is 0 "its tree has an end"
is "$(grep -c . <<<"$out")" 4 "and every ticket once"
done_testing
