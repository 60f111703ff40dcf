#!/usr/bin/env bash
# Ctrl-C stops the loop cleanly: the agent's tree ended, the state saved, exit code 130.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
count starts
when-iteration 2 fork-daemon daemon
when-iteration 2 wait-file daemon
when-iteration 2 touch second
when-iteration 2 hang
SCRIPT
# A terminal, since that is who sends the signal, and to whom.
tmux -f /dev/null new-session -d -x 120 -y 40 "bash --norc"
command=$(printf '%q ' "${loop[@]}" agent --max-iterations 3 -- "$AGENT" agent.txt)
tmux send-keys "$command; echo \$? >code" Enter
wait_for 20 test -e second
wait_for 20 field_is agent '.sessions[0].pid != null' true
agent=$(agent_of agent)
tmux send-keys C-c
wait_for 20 test -s code
is "$(cat code)" 130 "it exits as one that was interrupted"
ok "the agent's tree is gone" gone "$agent" "$(cat daemon)"
is "$(field agent '[.status, .exit_reason, .iteration] | join(" ")')" "stopped interrupted 2" "the state is saved"
like "$(tmux capture-pane -p -J)" 'stopped after 2 iterations \(resume with: ralph resume agent\)' "it says how to go on"
tmux kill-server
run "$RALPH" resume --foreground agent
exit_is 0 "and so it does"
is "$(cut -d ' ' -f 1 starts | xargs)" "1 2 3" "with the next iteration"

run_bg "${loop[@]}" twice --grace 10m --max-iterations 1 -- "$AGENT" -e 'ignore TERM; touch deaf; hang'
wait_for 20 test -e deaf
kill -INT "$bg"
wait_for 20 said "$T/bg.$bg.out" 'stopping'
agent=$(agent_of twice)
not_ok "an agent that ignores SIGTERM has its grace" gone "$agent"
kill -KILL "$agent"
end_bg 20 "$bg"
exit_is 130 "and then it is over"
no_leftovers "nothing goes on"
done_testing
