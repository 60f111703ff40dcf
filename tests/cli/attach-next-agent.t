#!/usr/bin/env bash
# A viewer that hears of the next agent before it has seen the last one go shows the next one all the same.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# shellcheck disable=SC2016 # for the agent's shell
run_bg "${loop[@]}" agent --pty --prompt-via arg --inactivity-timeout 600 --max-iterations 2 -- \
	"$AGENT" -e 'sh echo this is agent $RALPH_ITERATION; count starts; wait-file go; sh rm go'
wait_for 20 said starts '^1 '
wait_for 20 field_is agent '.sessions[0].pid != null' true
# Below a shell, since tmux wakes up what it started itself.
tmux -f /dev/null new-session -d -s viewer -x 100 -y 30 "$(printf '%q ' "$RALPH" attach agent); exec cat"
shows() { tmux capture-pane -p -t viewer | grep -q "$1"; }
wait_for 20 shows 'this is agent 1'
viewer=$(pgrep -P "$(tmux display-message -p -t viewer '#{pane_pid}')")
kill -STOP "$viewer"
touch go
wait_for 20 said starts '^2 '
wait_for 20 field_is agent '.iteration' 2
wait_for 20 field_is agent '.sessions[0].pid != null' true
kill -CONT "$viewer"
wait_for 20 shows 'this is agent 2' && pass "it shows the next agent"
touch go
end_bg 20 "$bg"
exit_is 0 "the loop goes through"
wait_for 20 gone "$viewer" && pass "and the viewer leaves with it"
tmux kill-server
no_leftovers "nothing goes on"
done_testing
