#!/usr/bin/env bash
# swarm heartbeat: a nudge every so often by the worker's supervisor, one heartbeat a worker at most (W16).
. "$(dirname "$0")/../cli/lib.sh"

beat() {
	jq -r "$1" "$RALPH_HOME/heartbeats/${2:-w}.json"
}
beat_is() {
	[[ $(beat "$1" "${3:-w}") == "$2" ]]
}
monitors() {
	env -u RALPH_TEST pgrep -fc -- "^$SWARM heartbeat"
}
supervisor() {
	jq -r .pid "$RALPH_HOME/loops/w/lock"
}
status_is() {
	[[ $("$SWARM" heartbeat status w) == *"Status: $1"* ]]
}
# Says what it was told, so that the message is not the last thing on its screen.
# shellcheck disable=SC2016
listener='while read -r line; do echo "$line" >>heard; echo ready; done'
"$SWARM" spawn --name w --tmux -- sh -c "$listener" >said
"$SWARM" spawn --name plain -- sleep 600 >said
is "$("$SWARM" heartbeat list)" "No heartbeats found" "there is none"
run "$SWARM" heartbeat start w --interval 4h --expire 24h
exit_is 0 "a heartbeat is started"
is "$out$err" "Heartbeat started for w (every 4h 0m, expires in 24h 0m)" "it says how often and how long"
is "$(beat '[.worker_name, .interval_seconds, .message, .last_beat_at, .beat_count, .status] | map(tostring) | join(" ")')" \
	"w 14400 continue null 0 active" "its file says so, too"
run "$SWARM" heartbeat start w --interval 1h
exit_is 1 "there is one at most"
is "$err" "Error: heartbeat already active for 'w' (use --force to replace)" "it says so"
for command in ls "status w" "heartbeat list" "ls"; do
	# shellcheck disable=SC2086
	"$SWARM" $command >said
done
is "$(monitors)" 0 "W16: there is no process for it, whatever is called"
is "$(beat .monitor_pid)" "$(supervisor)" "its supervisor does it"
run "$SWARM" heartbeat list
like "$out" '^WORKER  INTERVAL  NEXT BEAT  EXPIRES +STATUS  BEATS *
w       4h 0m     in 3h 59m  in 23h 59m  active  0 *$' "the list has it"
is "$("$SWARM" heartbeat ls | wc -l)" 2 "by its other name, too"

run "$SWARM" heartbeat start w --interval 1 --message 'go on' --force
exit_is 0 "--force replaces it"
is "$err" "swarm: warning: very short heartbeat interval (1s)" "less than a minute is warned about"
is "$out" "Heartbeat started for w (every 1s, no expiration)" "and accepted"
wait_for 20 said heard '^go on$' 2
pass "the worker is nudged again and again"
wait_for 20 beat_is '.beat_count >= 2' true
is "$(monitors)" 0 "still without a process of its own"
like "$(beat .last_beat_at)" '^[0-9-]{10}T[0-9:.]{12}Z$' "the last beat is noted"

run "$SWARM" heartbeat pause w
is "$out$err" "Heartbeat paused for w" "it can be paused"
count=$(beat .beat_count)
is "$(beat .status)" paused "as its file says"
run "$SWARM" heartbeat status w
like "$out" "^Heartbeat: w
Status: paused
Interval: 1s
Message: go on
Beats sent: $count
" "and status"
run "$SWARM" heartbeat pause w
exit_is 1 "a second time"
run "$SWARM" heartbeat resume w
is "$out$err" "Heartbeat resumed for w" "and resumed"
wait_for 20 beat_is ".beat_count > $count" true
run "$SWARM" heartbeat resume w
exit_is 1 "what is not paused cannot be resumed"
run "$SWARM" heartbeat stop w
is "$out$err" "Heartbeat stopped for w" "and stopped"
run "$SWARM" heartbeat stop w
exit_is 0 "again is no error"
is "$out" "No active heartbeat for w" "but there is none"
is "$(beat .monitor_pid)" null "and nobody serves it"

# A message that stands in the input line is not typed again.
"$SWARM" spawn --name deaf --tmux -- "$AGENT" -e 'raw; println > go on; touch deaf; hang' >said
wait_for 20 test -e deaf
"$SWARM" heartbeat start deaf --interval 1 --expire 3 --message "go on" >said 2>&1
wait_for 20 beat_is .status expired deaf
pass "it expires"
is "$(beat .beat_count deaf)" 0 "an agent that has not taken the last message gets no other"
run "$SWARM" heartbeat list
like "$out" 'deaf +1s +- +- +expired +0' "the list says so"

# A message may be longer than what other requests are.
long=$(printf 'y%.0s' {1..9000})
"$SWARM" heartbeat start w --interval 4h --message "$long" >said
is "$(beat .message)" "$long" "a long message is taken whole"

# A supervisor that was killed is told truthfully, and the next one goes on.
"$SWARM" heartbeat start w --interval 1 --message 'go on' --force >said 2>&1
wait_for 20 beat_is '.beat_count >= 1' true
kill -KILL "$(supervisor)"
wait_for 20 status_is stopped
is "$(beat .status)" active "without its supervisor nobody beats, but the record wants it"
count=$(beat .beat_count)
run "$SWARM" heartbeat resume w
exit_is 1 "nobody can resume it alone"
is "$err" "Error: the supervisor of worker 'w' is gone; go on with: swarm ralph resume w" "it says what helps"
run "$SWARM" heartbeat start w --interval 4h --force
exit_is 1 "nor start another one"
is "$err" "Error: the supervisor of worker 'w' is gone; go on with: swarm ralph resume w" "for the same reason"
"$RALPH" resume w >said
is "$("$SWARM" heartbeat status w | sed -n 2p)" "Status: active" "with the worker, its heartbeat goes on"
is "$(beat .monitor_pid)" "$(supervisor)" "by the new supervisor"
wait_for 20 beat_is ".beat_count > $count" true
pass "and beats"

# One that is paused stays so; one that is stopped meanwhile, too.
"$SWARM" heartbeat pause w >said
kill -KILL "$(supervisor)"
wait_for 20 status_is stopped
"$RALPH" resume w >said
is "$("$SWARM" heartbeat status w | sed -n 2p)" "Status: paused" "a paused one is still paused"
kill -KILL "$(supervisor)"
wait_for 20 status_is stopped
run "$SWARM" heartbeat stop w
is "$out$err" "Heartbeat stopped for w" "without a supervisor it can be stopped"
"$RALPH" resume w >said
is "$(beat '[.status, .monitor_pid] | map(tostring) | join(" ")')" "stopped null" "and stays so"
"$SWARM" heartbeat start w --interval 4h >said
run "$SWARM" kill w
wait_for 20 beat_is .status stopped
pass "it ends with its worker"
"$SWARM" spawn --name short --tmux -- "$AGENT" -e 'wait-file go' >said
"$SWARM" heartbeat start short --interval 4h >said
touch go
wait_for 20 beat_is .status stopped short
pass "also when that ends by itself"

run "$SWARM" heartbeat start nobody --interval 4h
exit_is 1 "nobody cannot be nudged"
is "$err" "Error: worker 'nobody' not found" "it says so"
run "$SWARM" heartbeat start plain --interval 4h
exit_is 1 "nor who has no terminal"
is "$err" "Error: heartbeat requires tmux worker" "it says so"
for bad in 0 -5 abc 4x ''; do
	run "$SWARM" heartbeat start plain "--interval=$bad"
	exit_is 1 "interval '$bad'"
	is "$err" "Error: invalid interval '$bad'" "is none"
done
run "$SWARM" heartbeat start plain --interval 4h --expire soon
is "$err" "Error: invalid expire 'soon'" "nor is that an expiry"
run "$SWARM" heartbeat start plain
exit_is 2 "an interval must be given"
run "$SWARM" heartbeat dance plain
exit_is 2 "it knows what it can do"
run "$SWARM" heartbeat status nobody
exit_is 1 "no heartbeat"
is "$err" "Error: no heartbeat found for 'nobody'" "no status"
"$SWARM" kill --all >said
"$SWARM" clean --all >said
is "$("$SWARM" heartbeat list)" "No heartbeats found" "clean takes them away"
no_leftovers "nothing goes on"
done_testing
