#!/usr/bin/env bash
# One window a worker: it stays across iterations, and closes with the loop.
. "$(dirname "$0")/../cli/seed.sh"

ids() {
	tmux list-windows -a -F '#{window_id} #{pane_id} #{pane_pid}'
}
echo 'count starts; wait-file go; sh rm go' >claude.txt
run_bg swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- claude
wait_for 20 agents 1
before=$(ids)
next_agent
wait_for 20 agents 2
next_agent
wait_for 20 agents 3
is "$(ids)" "$before" "window, pane and viewer are the same in the third iteration"
next_agent
end_bg 20 "$bg"
wait_for 20 windows_are "" && pass "it closes with the loop, and no shell is left in the session"
run swarm logs agent
like "$status $out" '^0 .*Do task A' "what was in it can still be read"
run swarm peek agent
like "$status $out" '^0 .*Do task A' "by peek, too"
no_leftovers "nothing goes on"
done_testing
