#!/usr/bin/env bash
# A process that by chance has the number of a supervisor, keeper or agent of ours is a
# stranger: it is not signalled, and nobody waits for it.
. "$(dirname "$0")/lib.sh"

# Process numbers can be chosen in a namespace of one's own.
if [[ -z ${IN_NAMESPACE:-} ]]; then
	# shellcheck disable=SC2016 # for the other shell
	unshare -Urpf --mount-proc sh -c 'echo 100 >/proc/sys/kernel/ns_last_pid' 2>/dev/null ||
		skip_all "cannot choose process numbers here"
	IN_NAMESPACE=yes exec unshare -Urpf --mount-proc --kill-child bash "$0" "$@"
fi

# stranger PID: someone with that number.
stranger() {
	echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
	sleep 1000 &
	strangers+=("$!")
}

all_alive() { kill -0 "$@" 2>/dev/null; }

echo work >prompt
strangers=()
run_bg "$RALPH" run --name x --prompt-file prompt --max-iterations 2 -- \
	"$AGENT" -e "count $T/agents; when-iteration 1 hang"
wait_for 20 said "$T/agents" '^1 '
supervisor=$bg
wait_for 20 said "$RALPH_HOME/loops/x/journal.jsonl" '"running"'
keeper=$(jq .pid "$RALPH_HOME"/loops/x/sessions/*/keeper.json)
agent=$(jq .agent.pid "$RALPH_HOME"/loops/x/sessions/*/keeper.json)
crash "$supervisor" "$keeper" 2>/dev/null
wait_for 20 gone "$agent"
for pid in "$supervisor" "$keeper" "$agent"; do stranger "$pid"; done
is "${strangers[*]}" "$supervisor $keeper $agent" "strangers have the numbers"

run "$RALPH" status x
like "$out" 'supervisor is gone' "the supervisor is known to be gone"
run "$RALPH" resume --foreground x
exit_is 11 "the loop goes on, and does not say that both iterations are done"
like "$out" 'starting iteration 2/2' "with the next iteration"
ok "no stranger was signalled" all_alive "${strangers[@]}"
is "$(wc -l <"$T/agents")" 2 "the lost agent has one successor"
kill "${strangers[@]}"
done_testing
