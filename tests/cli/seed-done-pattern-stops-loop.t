#!/usr/bin/env bash
# Scenario: Done pattern stops loop; and the common patterns of the table.
. "$(dirname "$0")/../cli/seed.sh"

echo 'Do task A. Say "All tasks complete" when all is done.' >PROMPT.md
cat >claude.txt <<'SCRIPT'
when-iteration 1 println working
when-iteration 2 println So: All tasks complete.
SCRIPT
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 10 --done-pattern "All tasks complete" -- claude
exit_is 0 "the loop exits with 0"
like "$out" '
\[ralph\] agent: done pattern matched, stopping loop
' "it says why"
is "$(state_of agent '[.status, .current_iteration, .done_pattern] | join(" ")')" "stopped 2 All tasks complete" \
	"the state is stopped, and the prompt's own words did not count"
like "$(tail -n 1 "$(log_of agent)")" '\[DONE\] loop complete after 2 iterations reason=done_pattern$' "the log says so, too"
common() {
	echo "println $2" >claude.txt
	run swarm spawn --name "$1" --ralph --prompt-file ./PROMPT.md --max-iterations 2 --done-pattern "$3" -- claude
	like "$status $out" "^0 .*\\[ralph\\] $1: done pattern matched, stopping loop" "common pattern: $3"
}
common plan 'IMPLEMENTATION_PLAN.md is at 100%' 'IMPLEMENTATION_PLAN.md.*100%'
common list 'No remaining tasks' 'No remaining tasks'
# Whatever it says, by whatever name it could be meant.
cat >claude.txt <<'SCRIPT'
println All tasks complete
println null
println /done
println DONE
println <promise>COMPLETE</promise>
SCRIPT
run swarm spawn --name without --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
unlike "$out" 'done pattern' "without --done-pattern no words count"
is "$(state_of without '[.current_iteration, .done_pattern] | map(tostring) | join(" ")')" "2 null" \
	"the loop goes on to its last iteration"
like "$(tail -n 1 "$(log_of without)")" '\[DONE\] loop complete after 2 iterations reason=max_iterations$' \
	"and ends because of that"
no_leftovers "nothing goes on"
done_testing
