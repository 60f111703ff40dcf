#!/usr/bin/env bash
# E6: SIGTERM was heard when the agent ended, or a wait of 600 s was over; the agent was not ended.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/graph.sh"
repo
graph_agent
hangs='sleep 1000 & echo $! >child; echo $$ >self; wait'
tasks T-1 T-2
does T-1 "$hangs"
for one in "TERM 143" "INT 130"; do
	read -r sig code <<<"$one"
	rm -f child
	# shellcheck disable=SC2016 # for the shell below, which lets SIGINT be heard
	run_bg bash -c 'trap - INT; exec "$@"' - "$RALPH" graph run --delay 0 --grace 2s -- ./agent
	wait_for 20 test -s child
	wait_for 20 field_is repo-graph '.sessions[0].pid != null' true
	begin=$EPOCHREALTIME
	kill "-$sig" "$bg"
	end_bg 20 "$bg"
	took=$(((${EPOCHREALTIME/./} - ${begin/./}) / 1000))
	exit_is "$code" "SIG$sig while the agent works"
	ok "is heard within the grace ($took ms)" test "$took" -lt "$(patience 6)"000
	ok "and takes the agent's tree with it" gone "$(cat child)" "$(cat self)"
	is "$(tail -1 logs/ralph.jsonl | jq -r '.action + " " + (.outcome | sub(" .*"; ""))')" "interrupted SIG$sig" "it is in the log"
	like "$out" '1 iteration: 0 completed, 0 failed; runtime' "and the sums are said"
done
# in the middle of a wait
does T-1 'echo "error: rate limit" >&2; exit 1'
run_bg "$RALPH" graph run --delay 0 -- ./agent
wait_for 20 said logs/ralph.jsonl '"action":"rate_limited"'
begin=$EPOCHREALTIME
kill "$bg"
end_bg 20 "$bg"
took=$(((${EPOCHREALTIME/./} - ${begin/./}) / 1000))
exit_is 143 "SIGTERM in a wait of a minute"
ok "is heard at once ($took ms)" test "$took" -lt "$(patience 6)"000
rm do/T-1
g run --delay 0 -- ./agent
like "$err" 'T-1 was claimed and left without a verdict' "what was interrupted is taken up again, which is said"
like "$out" '2 completed, 0 failed' "and is done"
no_leftovers "nothing goes on"
done_testing
