#!/usr/bin/env bash
# Recovery procedures: ralph loop crashed mid-iteration; stuck in backoff; clean up ralph state; the edge case that
# state persists across restarts.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
spawn=("$SWARM" spawn --ralph --prompt-file PROMPT.md --name)
run_bg "${spawn[@]}" agent --max-iterations 3 -- "$AGENT" -e 'count starts; wait-file go; sh rm go'
wait_for 20 test -s starts
wait_for 20 field_is agent '.sessions[0].pid != null' true
touch go
wait_for 20 said starts . 2
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
crash "$bg" "$(keeper_of agent)"
wait_for 20 gone "$agent"
run "$SWARM" ralph status agent
like "$out" 'Status: running.*
Iteration: 2/3' "crashed mid-iteration: the state shows running, but no worker is there"
run "$SWARM" ralph resume agent
exit_is 0 "resume restarts it for real"
is "$out$err" "resumed ralph loop for agent" "it says so"
wait_for 20 said starts . 3
is "$(jq -r '"\(.status) \(.current_iteration)"' "$RALPH_HOME/ralph/agent/state.json")" "running 3" "the count goes on"
touch go
run "$SWARM" wait agent
is "$(jq -r .status "$RALPH_HOME/ralph/agent/state.json")" stopped "and it comes to its end"

# ralph run takes a crashed loop into this terminal.
rm starts
run_bg "${spawn[@]}" front --max-iterations 2 -- "$AGENT" -e 'count starts; when-iteration 1 hang'
wait_for 20 test -s starts
wait_for 20 field_is front '.sessions[0].pid != null' true
crash "$bg" "$(keeper_of front)"
run "$SWARM" ralph run front
exit_is 0 "ralph run goes on in the foreground"
like "$out" 'starting iteration 2/2
.*iteration 2 completed.*
.*loop complete after 2 iterations$' "until the loop is complete"

# Stuck in backoff: pausing ends the wait at once, resuming tries again at once.
cat >flaky <<'SH'
#!/bin/sh
test -e fixed || exit 1
echo it works
SH
chmod +x flaky
run_bg "${spawn[@]}" stuck --max-iterations 20 --max-failures 20 --done-pattern 'it works' -- ./flaky
in_backoff stuck "$SWARM" ralph pause stuck
is "$out$err" "paused ralph loop for stuck" "stuck in backoff: pause"
is "$(field stuck '[.status, .hold_until] | join(" ")')" "paused " "which ends the wait at once"
touch fixed
run "$SWARM" ralph resume stuck
is "$out$err" "resumed ralph loop for stuck" "fix the issue, and resume"
end_bg 20 "$bg"
exit_is 0 "which goes on at once"
is "$(jq -r .current_iteration "$RALPH_HOME/ralph/stuck/state.json")" $((failures + 1)) "with the next iteration"

# Clean up ralph state.
run "$SWARM" ralph clean stuck
exit_is 0 "the ralph state of a worker is removed"
is "$out$err" "cleaned ralph state for stuck" "it says so"
not_ok "and gone" test -e "$RALPH_HOME/ralph/stuck"
run "$SWARM" ralph clean nobody
exit_is 1 "of nobody"
is "$err" "swarm: error: no ralph state found for worker 'nobody'" "there is none"
run "$SWARM" ralph clean
exit_is 1 "of whom?"
rm -f go starts
run "${spawn[@]}" alive --detach --max-iterations 2 -- "$AGENT" -e 'count starts; wait-file go'
wait_for 20 test -s starts
run "$SWARM" ralph clean alive
is "$err" "swarm: warning: worker 'alive' is still running (only ralph state removed)" "one that runs is warned about"
not_ok "and its agent left alone" gone "$(agent_of alive)"
run "$SWARM" ralph clean --all
exit_is 0 "--all"
is "$(ls "$RALPH_HOME/ralph")" "" "removes all of it"
touch go
"$SWARM" wait alive >said
"$SWARM" clean --all >said
no_leftovers "nothing goes on"
done_testing
