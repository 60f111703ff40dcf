#!/usr/bin/env bash
# A limit that is reached while tasks are left is no success: for a graph, and for a command that gives prompts out.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent

tasks T-1 T-2
for id in T-1 T-2; do does $id "ralph graph complete $id"; done
g run --name g --max-iterations 1 --delay 0 --on-alert 'cat >>alerts' -- ./agent
exit_is 10 "a task is left"
is "$(jq -r .text alerts)" 'max iterations reached, and there are more tasks' "somebody is told"
rm -f alerts
like "$out" 'max iterations reached after 1 iteration, and there are more tasks' "which is said"
like "$("$RALPH" status g)" 'incomplete' "status does not say that it is complete"
like "$("$RALPH" ls)" 'g +.*incomplete' "nor does ls"
run "$RALPH" wait g
exit_is 10 "nor wait"
is "$(now T-2)" ready "nobody has the other task"
is "$(jq -r .action logs/ralph.jsonl | tail -n 1)" gave_up "the log says it"
g run --name g2 --max-iterations 1 --delay 0 --on-alert 'cat >>alerts' -- ./agent
exit_is 0 "as many iterations as there are tasks are enough"
not_ok "nobody is told" test -e alerts
like "$out" 'all tasks complete' "which is said"

tasks T-3 T-4
does T-3 'exit 1'
g run --name g3 --max-iterations 1 --delay 0 --on-alert 'cat >>alerts' -- ./agent
exit_is 11 "a failure is told before what is left"
both='1 of 1 tasks failed; max iterations reached, and there are more tasks'
like "$out" "g3: $both" "which is told, too"
unlike "$out" 'What is left waits' "and as what could be done now"
is "$(jq -r .text alerts)" "$both" "also by the alert"
is "$(jq -r .action logs/ralph.jsonl | tail -n 1)" gave_up "and the log says that it gave up"
like "$("$RALPH" status g3)" "Outcome: $both \(exit code 11\)" "and by status"
rm -f alerts
does T-4 'ralph graph complete T-4'
g reset T-3
g run --name g4 --failures-ok --max-iterations 1 --delay 0 --on-alert 'cat >>alerts' -- ./agent
exit_is 0 "just ralph keeps its exit code"
not_ok "and raises no alert" test -e alerts

run "$RALPH" run --name c --prompt-command 'echo do it' --max-iterations 2 --delay 0 --on-alert 'cat >>alerts' -- true
exit_is 10 "a command that never said that all is complete"
like "$out" '2 iterations used, and the prompt command never said that all is complete' "is told"
ok "also by an alert" grep -q 'never said that all is complete' alerts
like "$("$RALPH" ls)" 'c +.*incomplete' "and by ls"
run "$RALPH" run --name d --prompt-command 'test ! -e done || { echo all complete; exit 1; }; touch done; echo do it' \
	--max-iterations 2 --delay 0 -- true
exit_is 0 "one that said so is complete"
no_leftovers "nothing goes on"
done_testing
