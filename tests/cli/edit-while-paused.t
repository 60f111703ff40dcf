#!/usr/bin/env bash
# max_iterations in state.json may be edited while the loop is paused, or waits after a failure:
# the next agent is started, or not, by what the file says then.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
state=$RALPH_HOME/ralph/agent/state.json
edit() {
	jq ".max_iterations = $1" "$state" >edited.json && mv edited.json "$state"
}
# usage: paused_after_one MAX; its agent has ended and no other is started
paused_after_one() {
	rm -f go starts
	run_bg "${loop[@]}" agent --max-iterations "$1" -- "$AGENT" -e 'count starts; when-iteration 1 wait-file go'
	wait_for 30 test -s starts
	"$RALPH" pause agent >said
	touch go
	wait_for 30 field_is agent '.sessions | length' 0
	wait_for 30 said "$T/bg.$bg.out" 'iteration 1 completed'
}

paused_after_one 1
edit 3
run "$RALPH" resume agent
exit_is 0 "a loop whose iterations were used up is resumed"
end_bg 30 "$bg"
exit_is 0 "it comes to its end"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "after as many iterations as the file said"
like "$out" 'starting iteration 2/3' "the number is known from the first start on"

paused_after_one 9
edit 1
run "$RALPH" resume agent
exit_is 0 "a loop that had more to do is resumed"
end_bg 30 "$bg"
exit_is 0 "it comes to its end"
is "$(wc -l <starts)" 1 "no agent was started beyond what the file said"

# The pauses after failures double; the fourth leaves time to edit.
rm -f starts
run_bg "${loop[@]}" agent --max-iterations 9 -- "$AGENT" -e 'count starts; exit 1'
wait_for 60 said "$T/bg.$bg.out" 'retrying in 8s'
edit 4
end_bg 60 "$bg"
exit_is 11 "a loop that waits after a failure ends, too"
is "$(wc -l <starts)" 4 "without another agent"
no_leftovers "nothing goes on"
done_testing
