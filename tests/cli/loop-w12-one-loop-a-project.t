#!/usr/bin/env bash
# W12: of loops that start at the same moment one runs; the others stop and say who does.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
ticket pt-1
does pt-1 'after go; work; close_ticket; commit'
commit_tickets
pids=()
for _ in 1 2 3 4; do
	work_on_bg
	pids+=("$bg")
done
over() {
	local pid n=0
	for pid in "${pids[@]}"; do ! lib_gone "$pid" || n=$((n + 1)); done
	((n == 3))
}
wait_for 30 over
for pid in "${pids[@]}"; do lib_gone "$pid" || winner=$pid; done
refused=0
for pid in "${pids[@]}"; do
	[[ $pid != "$winner" ]] || continue
	end_bg 5 "$pid"
	[[ $status -eq 1 && $err == *"another loop is active"*"pid $winner"* ]] && refused=$((refused + 1))
done
is "$refused" 3 "three are refused, and told who is at work"
wait_for 20 said "$T/log" "^start"
is "$(starts)" 1 "one worker was started"
echo go >>"$T/log"
end_bg 30 "$winner"
is "$status" 0 "the one finishes"
is "$(starts)" 1 "alone"
