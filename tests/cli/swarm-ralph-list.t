#!/usr/bin/env bash
# swarm ralph list (and ls) shows the loops of all workers; swarm ralph logs, what happened in one.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" ralph list
is "$status$out$err" "0" "no loops: nothing to print"
run "$SWARM" ralph list --format json
is "$out" "[]" "or an empty array"

"${loop[@]}" complete --max-iterations 1 -- "$AGENT" -e 'println x' >complete.out
"${loop[@]}" failed --max-iterations 2 --max-failures 1 -- "$AGENT" -e 'exit 1' >failed.out 2>&1
"${loop[@]}" running --detach --max-iterations unlimited -- "$AGENT" -e 'hang' >running.out 2>&1
"${loop[@]}" paused --detach --max-iterations 3 -- "$AGENT" -e 'wait-file go' >paused.out
wait_for 20 field_is running '.sessions[0].pid != null' true
wait_for 20 field_is paused '.sessions[0].pid != null' true
"$RALPH" pause paused >paused.said
for command in list ls; do
	run "$SWARM" ralph $command
	exit_is 0 "ralph $command succeeds"
	is "$out" "NAME      RALPH_STATUS  WORKER_STATUS  ITERATION    FAILURES
complete  stopped       stopped        1/1          0/0     
failed    failed        stopped        1/2          1/1     
running   running       running        1/unlimited  0/0     
paused    paused        running        1/3          0/0     " "a table of loop, worker, iteration, failures"
done
touch go
run "$SWARM" wait --timeout 90 paused
run "$SWARM" ralph list --status paused
is "$out" "NAME    RALPH_STATUS  WORKER_STATUS  ITERATION  FAILURES
paused  paused        stopped        1/3        0/0     " "filtered; a paused loop may have no agent"
run "$SWARM" ralph list --format names --status stopped
is "$out" "complete" "names"
run "$SWARM" ralph list --format json --status failed
is "$(jq -c '.[] | [.worker_name, .status, .worker_status, .current_iteration, .max_iterations, .consecutive_failures, .total_failures]' <<<"$out")" \
	'["failed","failed","stopped",1,2,1,1]' "JSON has the loop's state and the worker's status"
is "$(jq -c '.[0] | keys_unsorted[:11]' <<<"$out")" \
	'["worker_name","prompt_file","max_iterations","current_iteration","status","started","last_iteration_started","consecutive_failures","total_failures","done_pattern","inactivity_timeout"]' \
	"with the known keys"
run "$SWARM" ralph list --status crashed
exit_is 2 "an unknown status is a usage error"

time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}'
run "$SWARM" ralph logs complete
exit_is 0 "the events of a loop"
like "$out" "^$time \\[START\\] iteration 1/1
$time \\[END\\] iteration 1 exit=0 duration=0s
" "as they are in its log"
run "$SWARM" ralph logs --lines 1 complete
like "$out" "^$time \\[DONE\\] [^
]*\$" "or the last of them"
run "$SWARM" ralph logs nobody
is "$status $err" "1 swarm: error: worker 'nobody' not found" "nobody's"
run_bg "$SWARM" ralph logs --live running
wait_for 20 said "$T/bg.$bg.out" 'START' && pass "--live prints what is there"
"$RALPH" stop running >stopped
end_bg 20 "$bg"
exit_is 0 "and ends with the loop"
like "$out" '\[END\] iteration 1' "after what came"
run "$SWARM" ralph logs --live complete
is "$status $(wc -l <<<"$out")" "0 3" "of a loop that is over, what is there"
"$RALPH" stop paused >stopped
no_leftovers "nothing goes on"
done_testing
