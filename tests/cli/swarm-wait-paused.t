#!/usr/bin/env bash
# A paused loop has not ended: wait goes on, and says once that it is paused.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
"$SWARM" spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations 2 --detach -- \
	"$AGENT" -e 'count starts; wait-file go' >said
wait_for 30 test -s starts
"$SWARM" ralph pause agent >said
run_bg "$SWARM" wait agent
touch go
wait_for 30 field_is agent '.sessions | length' 0
wait_for 30 said "$T/bg.$bg.err" 'paused'
is "$(cat "$T/bg.$bg.err")" "swarm: warning: worker 'agent' is paused, which is no end; go on with: swarm ralph resume agent" \
	"wait says what keeps it waiting, and what to do"
run "$SWARM" wait --timeout 0 agent
exit_is 1 "who looks once hears that it has not ended"
is "$out" "agent: still running (timeout)" "in wait's own words"
"$SWARM" ralph resume agent >said
end_bg 60 "$bg"
exit_is 0 "wait ends with the loop"
is "$out" "agent: exited" "and says so"
is "$(grep -c paused <<<"$err")" 1 "that it was paused was said once"
is "$(wc -l <starts)" 2 "after both iterations"

# A loop that a signal paused has no supervisor, and has not ended either.
rm -f starts go
run_bg "$SWARM" spawn --name gone --ralph --prompt-file PROMPT.md --max-iterations 2 -- \
	"$AGENT" -e 'count starts; wait-file go'
wait_for 30 test -s starts
kill -TERM "$bg"
touch go
end_bg 60 "$bg"
run "$SWARM" wait --timeout 0 gone
exit_is 1 "one that a signal paused has not ended"
like "$err" "worker 'gone' is paused" "as it says"
no_leftovers "nothing goes on"
done_testing
