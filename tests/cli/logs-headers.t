#!/usr/bin/env bash
# ralph logs -f tells one iteration from the next on a terminal; a script reads what the agents wrote, and nothing twice.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "iteration $RALPH_ITERATION begins"
when-iteration 1 wait-file go
when-iteration 2 exit 3
sh printf 'no newline'
SCRIPT
run_bg "${loop[@]}" agent --max-iterations 3 -- "$AGENT" agent.txt
loop_pid=$bg
wait_for 20 field_is agent '.sessions[0].pid != null' true
run_bg script -qec "'$RALPH' logs -f agent" "$T/terminal"
on_terminal=$bg
run_bg "$RALPH" logs -f --headers always agent
always=$bg
run_bg "$RALPH" logs -f agent
plain=$bg
for pid in "$on_terminal" "$always" "$plain"; do
	wait_for 20 said "$T/bg.$pid.out" 'iteration 1 begins'
done
touch go
end_bg 60 "$on_terminal"
exit_is 0 "on a terminal it ends with the loop, too"
shown=$(tr -d '\r' <"$T/bg.$on_terminal.out" | sed 's/\x1b\[[0-9;]*m//g')
like "$shown" "^==> iteration 1: started [0-9-]+ [0-9:]+ <==
iteration 1 begins
no newline
==> iteration 1: done, after [0-9a-z ]+ <==
==> iteration 2: started [0-9-]+ [0-9:]+ <==
iteration 2 begins
==> iteration 2: failed \(exit code 3\), after [0-9a-z ]+ <==
==> iteration 3: started [0-9-]+ [0-9:]+ <==
iteration 3 begins
no newline
==> iteration 3: done, after [0-9a-z ]+ <==$" "every iteration has a line when it begins, and one when it has ended"
like "$(cat "$T/bg.$on_terminal.out")" $'\033\\[' "with colours"
end_bg 60 "$always"
is "$out" "$shown" "--headers always has the same lines, without a terminal"
end_bg 60 "$plain"
is "$out" "iteration 1 begins
no newline
iteration 2 begins
iteration 3 begins
no newline" "without either there is only what the agents wrote"
end_bg 60 "$loop_pid"

# Agents that are gone before anybody looks.
# shellcheck disable=SC2016 # for the agent's shell
run_bg "${loop[@]}" quick --max-iterations 40 -- sh -c 'echo "$RALPH_ITERATION"; [ "$RALPH_ITERATION" != 1 ] || until [ -e on ]; do sleep 0.02; done'
loop_pid=$bg
wait_for 20 field_is quick '.sessions[0].pid != null' true
run_bg "$RALPH" logs -f quick
follower=$bg
wait_for 20 said "$T/bg.$follower.out" '^1$'
touch on
end_bg 120 "$follower"
is "$out" "$(seq 1 40)" "nothing of short agents is lost, and nothing comes twice or in another order"
end_bg 60 "$loop_pid"
no_leftovers "nothing goes on"
done_testing
