#!/usr/bin/env bash
# W16: a worker has one heartbeat at most, whatever is called meanwhile, and stop ends it.  The process that served the
# heartbeat in an earlier version (it held w.lock) is shown, and ended before anybody else types.
. "$(dirname "$0")/../cli/seed.sh"

beat() {
	jq -r "$1" ~/.swarm/heartbeats/w.json
}
# A process that holds w.lock as the monitor of an earlier version did, and says there who it is.
monitor() {
	rm -f ~/.swarm/heartbeats/w.lock
	(
		self=$BASHPID
		exec 9>~/.swarm/heartbeats/w.lock
		flock 9
		printf '{"pid":%d,"started":"2026-01-01T00:00:00.000Z","start_time":%d,"boot_id":"%s"}\n' "$self" \
			"$(cut -d' ' -f22 "/proc/$self/stat")" "$(cat /proc/sys/kernel/random/boot_id)" >&9
		exec sleep 600 >/dev/null 2>&1
	) &
	pid=$!
	disown "$pid"
	wait_for 20 test -s ~/.swarm/heartbeats/w.lock
}
# The record as an earlier version wrote it.
record() {
	cat >~/.swarm/heartbeats/w.json <<-EOF
		{"worker_name": "w", "interval_seconds": $1, "message": "go on", "expire_at": null,
		 "created_at": "$(date -u +%FT%T.000Z)", "last_beat_at": null, "beat_count": 7, "status": "active"}
	EOF
}
supervisor() {
	jq -r .pid ~/.swarm/loops/w/lock
}
status() {
	swarm heartbeat status w | sed -n 2p
}
# Processes of this test that have the word among their arguments.
ours_with() {
	local one
	lib_leftovers
	for one in "${lib_left[@]}"; do
		tr '\0' '\n' <"/proc/$one/cmdline" 2>/dev/null | grep -qx -- "$1" && echo "$one"
	done
}
counts() {
	(($(beat .beat_count) > 7))
}

# shellcheck disable=SC2016
swarm spawn --name w --tmux -- sh -c 'while read -r line; do echo "$line" >>heard; echo ready; done' >said
swarm heartbeat start w --interval 4h >said
for command in ls "status w" "heartbeat list" "heartbeat status w" ls; do
	# shellcheck disable=SC2086 # two words are two
	swarm $command >said
done
is "$(ours_with heartbeat)" "" "no command leaves a process behind"
is "$(beat .monitor_pid)" "$(supervisor)" "the supervisor serves the heartbeat"
run swarm heartbeat start w --interval 1h
exit_is 1 "a second heartbeat is refused"
swarm heartbeat stop w >said
is "$(beat .status)" stopped "stop ends it"

# The program of an earlier version was called meanwhile.
record 14400
monitor
is "$(status)" "Status: active" "one that an earlier version serves is shown"
run swarm heartbeat start w --interval 1h
exit_is 1 "no second one is started beside it"
is "$err" "Error: heartbeat already active for 'w' (use --force to replace)" "it says so"
wait_for 20 gone "$pid" && pass "the supervisor takes it over"
is "$(status)" "Status: active" "and it goes on" # the supervisor serves it
swarm heartbeat stop w >said

record 14400
monitor
swarm heartbeat stop w >said
ok "stop ends the process of the earlier version" gone "$pid"
is "$(beat '[.status, .beat_count] | map(tostring) | join(" ")')" "stopped 7" "and what it did is kept"

# A supervisor that comes up finds one.
kill -KILL "$(supervisor)"
record 1
monitor
"$RALPH" resume w >said
ok "a supervisor that comes up ends the process of the earlier version" gone "$pid"
is "$(status)" "Status: active" "and goes on with its heartbeat"
wait_for 20 test -s heard
wait_for 20 counts && pass "which counts from where it was"
swarm heartbeat stop w >said

# The supervisor of an earlier version knows no heartbeats.
kill -KILL "$(supervisor)"
cat >old <<'EOF'
use Fcntl ":flock"; use Socket;
chdir $ARGV[0] or die; open my $lock, ">>", "lock" or die; flock $lock, LOCK_EX or die;
truncate $lock, 0; syswrite $lock, "{\"pid\":$$}\n"; unlink "sock";
socket my $s, PF_UNIX, SOCK_STREAM, 0 or die; bind $s, sockaddr_un("sock") or die; listen $s, 5 or die;
open my $up, ">", $ARGV[1] or die; close $up;
while (accept my $c, $s) { my $line = <$c>; syswrite $c, "{\"error\":\"unknown request\"}\n"; close $c }
EOF
perl old ~/.swarm/loops/w "$PWD/up" &
old=$!
disown $old
wait_for 20 test -e up
for action in "start w --interval 1h" "start w --interval 1h --force"; do
	# shellcheck disable=SC2086
	run swarm heartbeat $action
	exit_is 1 "a supervisor of an earlier version: heartbeat $action"
	like "$err" "^Error: the supervisor of worker 'w' was started by an earlier version" "it says so"
	is "$(beat .status)" stopped "and nothing is claimed to be"
done
record 14400
is "$(status)" "Status: stopped" "a record that nobody serves is no heartbeat"
monitor
run swarm heartbeat pause w
exit_is 1 "nor can it pause what a process of that version does"
like "$err" "^Error: the supervisor of worker 'w' was started by an earlier version" "it says so"
not_ok "which goes on" gone "$pid"
run swarm heartbeat stop w
is "$out$err" "Heartbeat stopped for w" "stop works"
ok "and ends that process" gone "$pid"
is "$(beat .status)" stopped "as the record says"
kill -KILL $old

swarm kill w >said
no_leftovers "nothing goes on"
done_testing
