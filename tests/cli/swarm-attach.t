#!/usr/bin/env bash
# swarm attach shows a worker's terminal: in its tmux window, or directly.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" attach nobody
is "$status $err" "1 swarm: error: worker 'nobody' not found" "it must be somebody"

# view NAME: a terminal of the outer tmux with an attach in it
view() {
	local command
	command=$(printf 'env -u TMUX TMUX_TMPDIR=%q %q attach %q' "$TMUX_TMPDIR" "$SWARM" "$1")
	tmux -L outer -f /dev/null new-session -d -s "$1" -x 100 -y 30 "$command; echo code \$?; exec cat"
}
shows() {
	tmux -L outer capture-pane -p -t "=$1:" | grep -qE -e "$2"
}
# shellcheck disable=SC2016 # the worker's shell expands it
run "$SWARM" spawn --name term --tmux -- bash -c 'echo ready; read -r line; echo "heard: $line"; read -r line'
exit_is 0 "a worker in tmux"
view term
wait_for 20 shows term '^ready' && pass "its window is shown"
wait_for 20 shows term '\[swarm\]' && pass "by tmux"
tmux -L outer send-keys -t =term: 'some words' Enter
wait_for 20 shows term 'heard: some words' && pass "what is typed reaches it"
tmux -L outer send-keys -t =term: C-b d
wait_for 20 shows term 'code 0' && pass "the prefix and d detaches"
run "$SWARM" status term
exit_is 0 "and the worker goes on"
run "$SWARM" kill term
run "$SWARM" attach term
exit_is 1 "one that has ended cannot be attached to"
like "$err" "^swarm: error: .*(terminal|nothing to attach to)" "which is said"

# Without tmux there is the built-in viewer.
"${loop[@]}" plain --detach --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- \
	"$AGENT" -e 'println plain words; wait-file go' >plain.out
wait_for 20 field_is plain '.sessions[0].pid != null' true
view plain
wait_for 20 shows plain 'plain words' && pass "a worker without a window is shown, too"
tmux -L outer send-keys -t =plain: C-\\
wait_for 20 shows plain 'detached from plain' && pass "Ctrl-\\ detaches from it"
touch go
run "$SWARM" wait --timeout 90 plain
tmux -L outer kill-server
no_leftovers "nothing goes on"
done_testing
