#!/usr/bin/env bash
# A new loop under a used name puts the old one into the archive, unless its agent lives.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
"${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'println old' >old.out
run "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'println new'
exit_is 0 "a used name can be used again"
is "$(field agent '[.iteration, .max_iterations] | join(" ")')" "1 1" "the new loop starts from the beginning"
run "$RALPH" logs agent
is "$out" "new" "and has its own recordings"
archived=("$RALPH_HOME"/archive/agent.*)
is "${#archived[@]}" 1 "the old one is in the archive"
ok "with its journal" grep -q '"iteration":2' "${archived[0]}/journal.jsonl"
ok "and what its agents wrote" grep -rq old "${archived[0]}/sessions"

run_bg "${loop[@]}" crashed --max-iterations 3 -- "$AGENT" -e 'count starts; hang'
wait_for 20 test -s starts
wait_for 20 field_is crashed '.sessions[0].pid != null' true
agent=$(agent_of crashed)
crash "$bg"
run "${loop[@]}" crashed --max-iterations 1 -- "$AGENT" -e 'count starts'
exit_is 1 "an agent that lives is not given a rival"
is "$err" "ralph: error: an agent of the earlier loop 'crashed' still runs (pid $agent); go on with it: ralph resume crashed; end it: ralph stop crashed" \
	"it says what to do"
is "$(wc -l <starts)" 1 "nothing was started"
is "$(field crashed '[.iteration, .max_iterations, .sessions[0].pid] | join(" ")')" "1 3 $agent" "the old loop is as it was"
run "$RALPH" stop crashed
run "${loop[@]}" crashed --max-iterations 1 -- "$AGENT" -e 'count starts'
exit_is 0 "once it is ended, the name is free"
no_leftovers "nothing goes on"
done_testing
