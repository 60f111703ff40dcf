#!/usr/bin/env bash
# A disk that cannot be written: the old state stays, the error is said, running agents go on,
# no new one starts, and the loop goes on by itself when that is over.
. "$(dirname "$0")/lib.sh"

may_mount "$@"

sweep run/supervisor ENOSPC EIO EMFILE SHORT ENOSPC+
sweep run/keeper ENOSPC EIO ENOSPC+

echo work >prompt
agents() { wc -l <"$T/agents"; }
agents_are() { [[ $(agents) -eq $1 ]]; }

# A loop of three iterations; every agent tells $T/agents and waits for $T/goI.  The next decision is about the end of
# the first agent.
start_loop() {
	rm -f "$T"/go* "$T/agents"
	run_bg "$@" "$RALPH" run --name x --prompt-file prompt --max-iterations 3 -- \
		"$AGENT" -e "count $T/agents; when-iteration 1 wait-file $T/go1; when-iteration 2 wait-file $T/go2"
	job=$bg
	wait_for 20 said "$T/agents" '^1 '
	wait_for 20 said "$RALPH_HOME/loops/x/journal.jsonl" '"running"'
}

# goes_on TITLE REASON REPAIR...: after the fault was made while the first agent works.
goes_on() {
	local title=$1 reason=$2
	shift 2
	touch "$T/go1"
	wait_for 20 said "$T/bg.$job.err" "$reason.*is started until"
	ok "$title: no new agent starts" agents_are 1
	run "$RALPH" status x
	exit_is 0 "$title: status works"
	touch "$T/go2"
	"$@"
	end_bg 40 "$job"
	is "$status" 0 "$title: the loop goes on by itself when that is over"
	ok "$title: every agent came once" agents_are 3
	is "$(grep -c 'is started until' <<<"$err")" 1 "$title: it was said once"
}

fill_bytes() {
	head -c 10M /dev/zero >"$T/disk/fill" 2>/dev/null
	# The journal's last page has room; take that, too.
	for ((i = 0; i < 40; i++)); do head -c 4096 /dev/zero >"$T/disk/fill.$i" 2>/dev/null; done
}

fill_inodes() {
	for ((i = 0; i < 100; i++)); do : 2>/dev/null >"$T/disk/fill.$i"; done 2>/dev/null
}

free_disk() {
	rm -f "$T"/disk/fill*
}

if [[ $IN_NAMESPACE == yes ]]; then
	mkdir "$T/disk"
	for kind in bytes:size=512k inodes:nr_inodes=80; do
		mount -t tmpfs -o "${kind#*:}" none "$T/disk"
		export RALPH_HOME=$T/disk/home
		start_loop
		"fill_${kind%%:*}"
		goes_on "no ${kind%%:*} left" 'No space left on device' free_disk
		start_loop
		"fill_${kind%%:*}"
		run "$RALPH" stop x
		exit_is 0 "no ${kind%%:*} left: stop works"
		end_bg 20 "$job"
		is "$status" 3 "no ${kind%%:*} left: the loop is stopped"
		run "$RALPH" status x
		like "$out" 'Exit reason: stopped' "no ${kind%%:*} left: and that is on disk"
		RALPH_HOME=$T/home/.swarm
		umount "$T/disk"
	done
else
	pass "no space left # SKIP cannot mount here"
fi

# A limit on the size of files: no file of the supervisor's grows beyond its journal as it is.
limit_files() {
	prlimit --pid "$job" --fsize="$(stat -c %s "$RALPH_HOME/loops/x/journal.jsonl")":unlimited
}
start_loop
limit_files
goes_on "files are limited" 'File too large' prlimit --pid "$job" --fsize=unlimited:unlimited

# Ctrl-C does not wait for the disk.
start_loop
limit_files
touch "$T/go1"
wait_for 20 said "$T/bg.$job.err" 'is started until'
kill -INT "$job"
end_bg 20 "$job"
is "$status" 130 "Ctrl-C ends a loop that cannot be written down"
like "$err" 'go on later with: ralph resume x' "and says what to do"
touch "$T/go2"
run "$RALPH" resume --foreground x
exit_is 0 "which goes on later"
ok "without doing anything twice" agents_are 3

# Descriptors: as many as it has, and no more.
start_loop prlimit --nofile=1024:1024
prlimit --pid "$job" --nofile="$(find "/proc/$job/fd" -mindepth 1 | wc -l)":1024
goes_on "no descriptor left" 'Too many open files' prlimit --pid "$job" --nofile=1024:1024

# A pause while a start fails: none comes when it could be made again, and its number is free.
start_loop prlimit --nofile=1024:1024
# As many as it has when it does nothing: a start takes more than the last session's end gives back.
fewest() {
	for ((i = 0; i < 10; i++)); do find "/proc/$job/fd" -mindepth 1 | wc -l; done | sort -n | head -1
}
prlimit --pid "$job" --nofile="$(fewest)":1024
touch "$T/go1"
wait_for 20 said "$T/bg.$job.err" 'ALERT: no agent can be started'
run "$RALPH" pause x
exit_is 0 "a start fails: pause works"
wait_for 20 field_is x .iteration 1
pass "a start fails, then a pause: it is given back"
prlimit --pid "$job" --nofile=1024:1024
ok "it is paused" field_is x .status paused
ok "no agent comes once it could" agents_are 1
touch "$T/go2"
run "$RALPH" resume x
end_bg 40 "$job"
is "$status" 0 "resumed, it goes on"
ok "with every iteration, once" agents_are 3

# A state home of ours that we may not write to.
as_nobody=()
if [[ $EUID -eq 0 ]]; then
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 711 "$T" "$T/home"
	chmod -R a+rX "$T/home/.swarm" "$T/work"
	chown -R 65534 "$T/home/.swarm"
fi
if "${as_nobody[@]}" test -x "$RALPH" -a -x "$AGENT" -a -r prompt; then
	chmod -R a-w "$T/home/.swarm"
	run "${as_nobody[@]}" "$RALPH" run --name y --prompt-file prompt --max-iterations 1 -- "$AGENT" -e "touch $T/never"
	exit_is 1 "a state home that cannot be written: the loop does not start"
	like "$err" "^ralph: error: cannot write to the state home .*/\.swarm'?: Permission denied$" "that is said in a sentence"
	not_ok "no agent came" test -e "$T/never"
else
	pass "a state home that cannot be written # SKIP the program is out of reach for others"
fi
no_leftovers "nothing goes on"
done_testing
