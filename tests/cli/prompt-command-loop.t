#!/usr/bin/env bash
# --prompt-command is the loop over a graph: its log, its heartbeat, tasks by name, a summary; a failure is not waited
# out, for the command gives out the next task; SIGTERM ends the agent and the loop.
. "$(dirname "$0")/lib.sh"

# Task N of ./calls, until there were so many as $1 says.
cat >next <<'X'
#!/bin/sh
echo x >>calls
n=$(wc -l <calls)
[ "$n" -le "$1" ] || { echo "All tasks complete" >&2; exit 1; }
echo "Your task: T-$n - do it"
X
chmod +x next
log() { jq -r "$1" logs/ralph.jsonl | xargs; }

# shellcheck disable=SC2016 # for the agent
run "$RALPH" run --name x --prompt-command './next 8' --delay 0 -- sh -c '[ "$RALPH_ITERATION" = 8 ]'
exit_is 11 "seven of eight agents failed"
is "$(log .action)" "loop_started $(printf 'started failed %.0s' {1..7})started completed finished" "what happens is in logs/ralph.jsonl"
is "$(log 'select(.action == "failed") | .task_id')" "T-1 T-2 T-3 T-4 T-5 T-6 T-7" "with the tasks"
is "$(log 'select(.action == "completed") | .outcome')" "the agent ended well" "of which nobody says more than is known"
like "$(cat logs/ralph.heartbeat)" '^20[0-9-]+T[0-9:.]+Z$' "logs/ralph.heartbeat has a time"
like "$out" 'error: iteration 1: T-1 failed \(exit: 1, duration: ' "lines name the task"
like "$out" 'iteration 8: T-8 ended \(exit: 0, duration: ' "an agent that ended well has ended"
unlike "$out" 'T-8 completed' "whether its task is complete nobody knows"
like "$out" '8 iterations: 1 completed, 7 failed; runtime ' "there is a summary"
unlike "$out" 'retrying|backoff|in progress' "a failure is not waited out"

# however it ends the loop, a done pattern changes nothing
# shellcheck disable=SC2016 # for the command
printf '#!/bin/sh\necho "$1" >&2\nexit 1\n' >says
chmod +x says
for words in 'blocked: T-2 waits for T-1' 'all complete'; do
	run "$RALPH" run --name w --prompt-command "./says '$words'" --done-pattern NEVER -- false
	exit_is 0 "$words: the end, though the done pattern never matched"
done
run "$RALPH" help run
like "$(tr '\n' ' ' <<<"$out")" '0 when it says that what is left is blocked' "as the help says"
rm -f calls
run "$RALPH" run --name w --prompt-command './next 8' --max-iterations 1 --delay 0 -- true
exit_is 10 "with more to do, the iterations were used"

rm -f calls
run_bg "$RALPH" run --name y --prompt-command './next 3' --delay 1h -- false
delayed() { "$RALPH" status y 2>&1 | grep -q '^Waiting: delay, '; }
ok "between tasks there is the delay, after a failure too" wait_for 30 delayed
kill -TERM "$bg"
end_bg 30 "$bg"
exit_is 143 "SIGTERM ends the loop"

rm -f calls
run_bg "$RALPH" run --name z --prompt-command './next 3' --grace 1s -- sh -c 'touch started; exec sleep 600'
wait_for 30 test -e started
agent=$(agent_of z)
kill -TERM "$bg"
end_bg 30 "$bg"
exit_is 143 "and in the middle of a task"
ok "its agent is ended" gone "$agent"
is "$(tail -n 1 logs/ralph.jsonl | jq -r .action)" interrupted "the log says so"
no_leftovers "nothing goes on"
done_testing
