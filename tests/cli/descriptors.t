#!/usr/bin/env bash
# An agent gets the descriptors meant for it and no others.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# Strangers' descriptors that ralph itself was started with must not get through either.
exec 7<prompt 8>>stray
run "${loop[@]}" piped --max-iterations 1 -- "$AGENT" -e 'fds fds'
is "$(sed -E 's/:\[[0-9]+\]//' fds)" "$(printf '0 pipe\n1 pipe\n2 pipe\n%s' "$(grep 'task.lock' fds)")" \
	"on pipes: stdin, stdout, stderr and its task's lock"
run "${loop[@]}" screen --pty --prompt-via arg --max-iterations 1 -- "$AGENT" -e 'fds fds'
is "$(sed -E 's|/dev/pts/[0-9]+|tty|' fds)" "$(printf '0 tty\n1 tty\n2 tty\n%s' "$(grep 'task.lock' fds)")" \
	"on a terminal: the same"
is "$(grep -c 'task.lock' fds)" 1 "of which there is one"
exec 7<&- 8>&-

# The same seen from outside, and what signals it starts with.
run_bg "${loop[@]}" outside --max-iterations 1 -- sleep 1000
wait_for 20 field_is outside '.sessions[0].pid != null' true
pid=$(agent_of outside)
is "$(find "/proc/$pid/fd" -mindepth 1 -printf '%l\n' | grep -cv '^pipe:\|task.lock')" 0 "/proc shows no other"
is "$(awk '$1 ~ /^Sig(Blk|Ign):/ { print $2 }' "/proc/$pid/status" | sort -u)" 0000000000000000 \
	"no signal is blocked or ignored"
is "$(ps -o sid= -p "$pid" | xargs)" "$pid" "it has a session of its own"
"$RALPH" stop outside >stopped
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
