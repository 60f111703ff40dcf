#!/usr/bin/env bash
# A keeper that stands still is missed: its session ends when it should, and the loop goes on.
# shellcheck disable=SC2016 # variables are for the agent's own shell
. "$(dirname "$0")/../cli/lib.sh"

scope=$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null)
[[ ${scope:-0} -eq 0 || $EUID -eq 0 ]] || skip_all "nobody may freeze another process here (yama/ptrace_scope)"

echo 'do it' >prompt
first() { said "$T/bg.$1.out" 'iteration 1 (failed|lost)'; }

# Stopped: it is woken up, and its own clock does the rest.
run_bg "${loop[@]}" stopped --iteration-timeout 3s --max-iterations 2 -- \
	sh -c '[ "$RALPH_ITERATION" = 2 ] && exit; echo $$ >stopped; kill -STOP $PPID; exec sleep 95'
stopped=$bg

# Frozen, as by a debugger or a disk that does not answer.
frozen='when-iteration 1 fork-daemon daemon.%s; when-iteration 1 freeze-parent; when-iteration 1 touch %s; when-iteration 1 hang'
run_bg "${loop[@]}" frozen --iteration-timeout 3s --max-iterations 2 --on-alert 'jq -r .text >>alerts' -- \
	"$AGENT" -e "${frozen//%s/frozen}"
frozen_pid=$bg
run_bg "${loop[@]}" idle --pty --inactivity-timeout 5s --max-iterations 2 -- "$AGENT" -e "${frozen//%s/idle}"
idle=$bg
# Frozen, and its supervisor is killed.
run_bg "${loop[@]}" orphan --max-iterations 2 -- "$AGENT" -e "${frozen//%s/orphan}"
orphan=$bg
wait_for 30 test -e orphan
wait_for 30 field_is orphan '.iteration' 1
crash "$orphan"
run_bg "$RALPH" resume --foreground orphan
orphan=$bg
# And one that stands still for a moment only.
run_bg "${loop[@]}" moment --max-iterations 1 --pty --inactivity-timeout 5s -- \
	sh -c 'echo $PPID >moment; while [ ! -e moment.go ]; do sleep 0.5; date +%N; done'
moment=$bg
wait_for 30 test -s moment
kill -STOP "$(<moment)"

wait_for 90 first "$stopped"
ok "a keeper that was stopped is missed" said "$T/bg.$stopped.out" 'iteration 1 failed \(timeout after'
ok "its agent is ended" gone "$(<stopped)"
end_bg 30 "$stopped"
exit_is 11 "the loop goes on"
kill -CONT "$(<moment)"
touch moment.go

wait_for 90 first "$frozen_pid"
ok "one that cannot be woken up is missed, too" said "$T/bg.$frozen_pid.out" 'iteration 1 failed \(timeout after'
ok "what its agent started is ended" gone "$(<daemon.frozen)"
wait_for 20 test -s alerts
like "$(<alerts)" 'the keeper of session .* has not answered for [0-9]+s; both are ended' "the user is told"
end_bg 30 "$frozen_pid"
exit_is 11 "the loop goes on"

wait_for 90 first "$idle"
ok "so is one in whose terminal nothing moves" gone "$(<daemon.idle)"
end_bg 30 "$idle"
exit_is 11 "the loop goes on"

wait_for 120 first "$orphan"
ok "and one that another supervisor started" gone "$(<daemon.orphan)"
end_bg 30 "$orphan"
exit_is 11 "the loop goes on"

end_bg 30 "$moment"
exit_is 0 "one that stands still for a moment is let be"
like "$out" 'iteration 1 completed' "its agent finishes"
no_leftovers "nothing is left"
done_testing
