#!/usr/bin/env bash
# `ralph graph status` counts each task once, for people and for programs alike, and says nothing of an agent that it
# does not know: one that Ctrl-C ended has not died, and one whose end nobody saw had no exit code.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent

# "complete in-progress failed ready waiting blocked", as `status` has it, and as --json has it
counted() {
	"$RALPH" graph status | sed -nE '1s/[^:]*: ([0-9]+): //; 1s/[^0-9 ]//gp' | xargs
}
by_program() {
	"$RALPH" graph status --json | jq -r '.by_status | "\(.complete) \(.["in-progress"]) \(.ready) \(.pending) \(.blocked)"'
}

tasks T-{1..3}
does T-1 'touch begun; exec sleep 600'
run_bg "$RALPH" graph run --delay 0 --grace 1s -- ./agent
wait_for 30 test -e begun
is "$(counted)" "0 1 2 0 0" "while an agent works, one is in progress and two are ready"
is "$(by_program)" "0 1 2 0 0" "for programs, too"
kill -INT "$bg"
end_bg 30 "$bg"
exit_is 130 "Ctrl-C"
is "$(counted)" "0 0 3 0 0" "afterwards all three are ready, and none is anything else"
is "$(by_program)" "0 0 3 0 0" "for programs, too"
is "$(now T-1)" ready "the one that it ended among them"
g status
like "$out" '\] T-1 .*\(left without a verdict; ready again\)' "it is told that it was left"
is "$(grep -c T-1 <<<"$out")" 1 "and it is listed once"
unlike "$out" 'died|In progress|To be looked at' "and of nobody that he died, or is at work"

# A failure is counted once, and is the same in every line.
does T-1 ':'
does T-2 'exit 7'
g run --delay 0 -- ./agent
like "$out" 'blocked: 2 failed \(T-1, T-2\)' "the end has two that failed"
like "$out" '3 iterations: 1 completed, 2 failed \(1 of them unfinished\); runtime ' "the summary has the same two"
like "$(tail -n 1 logs/ralph.jsonl | jq -r .outcome)" '1 completed, 2 failed \(1 of them unfinished\)\)' "and the log"
run "$RALPH" status repo-graph
like "$out" $'\nTasks: +1 completed, 2 failed \\(1 of them unfinished\\)\n' "and the loop's status"
g status
like "$out" '^Tasks: 3: 1 complete, 0 in progress, 2 failed, 0 ready, 0 waiting, 0 blocked'$'\n' "and the graph's"
unlike "$out" 'In progress' "which has nobody at work"

# An agent whose end nobody saw.
tasks T-5
# shellcheck disable=SC2016 # for the agent
does T-5 'kill -9 $PPID $$'
g run --delay 0 -- ./agent
g status
unlike "$out" 'exit code -1' "nobody has the exit code -1"
like "$out" '  T-5  failed: how its agent ended is not known, after ' "what is known is said"
no_leftovers "nothing goes on"
done_testing
