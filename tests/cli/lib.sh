# lib.sh - what a test of the program starts with.
# shellcheck shell=bash
#
#	#!/usr/bin/env bash
#	. "$(dirname "$0")/../cli/lib.sh"
#	plan 2
#	run "$RALPH" --version
#	exit_is 0 "says its version"
#	like "$out" '^ralph [0-9]' "with the program's name"
#
# The file is run again with a clean environment: HOME, RALPH_HOME, TMPDIR and
# TMUX_TMPDIR are private and below $T, the current directory is $T/work, and
# all of it is removed at the end, after every process of the test was ended.
# $RALPH is the program, $SWARM the same called as swarm, $AGENT the scripted agent
# (tests/agent/agent.c), $root the top of the source tree.
#
# A file says `plan N` first or `done_testing` last; one that says neither
# fails.  It ends with failure when a check failed or a sanitizer complained.
#
#	plan N, done_testing, skip_all WHY
#	ok NAME COMMAND...          COMMAND succeeds
#	not_ok NAME COMMAND...      COMMAND fails
#	is GOT WANT NAME            the same text
#	like TEXT REGEX NAME        extended regular expression
#	unlike TEXT REGEX NAME
#	pass NAME, fail NAME [DETAIL]
#	diag TEXT                   a remark in the log
#	run COMMAND...              sets $status, $out and $err (stdin is empty)
#	exit_is CODE NAME           of the last run
#	run_bg COMMAND...           in the background; its pid is $bg, its output
#	                            goes to $T/bg.PID.out and $T/bg.PID.err
#	end_bg SECONDS PID          waits for its end; sets $status, $out and $err
#	wait_for SECONDS COMMAND... until COMMAND succeeds; a failed check if it never does
#	no_leftovers NAME           nothing the test started is alive
#	patience SECONDS            prints how long that may be on this machine, now
#	took_less SECONDS SINCE     no longer has passed since then ($EPOCHREALTIME), for ok
#	may_mount "$@"              runs the file anew where it may mount something, if there is a way;
#	                            $IN_NAMESPACE says yes or no
#
# Seconds are those of a machine that has little else to do.  On one that is busy, whatever is waited
# for and whatever is to be soon may take as many times longer as `patience` says.
#
# For loops there are "${loop[@]}" NAME OPTION... -- CMD..., which is `ralph run` with the
# prompt file ./prompt, and:
#
#	field NAME JQ               prints what jq finds in `ralph status --json NAME`
#	field_is NAME JQ VALUE      for wait_for and ok
#	said FILE REGEX [TIMES]     the file has so many lines that match; at least one
#	agent_of NAME, keeper_of NAME, supervisor_of NAME   print process ids
#	spare_of NAME               prints that of the keeper that waits; nothing when none does
#	has_spare NAME, no_spare NAME               for wait_for and ok
#	gone PID...                 none of them lives, for wait_for and ok
#	crash PID...                kill -9, until they are gone
#	in_backoff NAME COMMAND...  run COMMAND, which pauses the loop of $bg while it waits after the third
#	                            failure in a row or a later one; sets $failures to how many there were
#	spans TEXT                  prints it with every "duration: ..." made "duration: T"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [[ -z ${RALPH_TEST:-} ]]; then
	lib_dir=$(mktemp -d "${TMPDIR:-/tmp}/ralph-test.XXXXXX")
	mkdir -p "$lib_dir"/{home,work,tmp,tmux,reports}
	chmod 700 "$lib_dir/tmux"
	printf '[user]\n\tname = Test\n\temail = test@localhost\n[init]\n\tdefaultBranch = main\n' \
		>"$lib_dir/home/.gitconfig"
	lib_report="log_path=$lib_dir/reports/report:log_exe_name=1"
	exec env -i PATH="$PATH" HOME="$lib_dir/home" TMPDIR="$lib_dir/tmp" TERM=xterm-256color \
		LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=UTC SHELL=/bin/sh USER="${USER:-test}" \
		RALPH_HOME="$lib_dir/home/.swarm" TMUX_TMPDIR="$lib_dir/tmux" \
		GIT_CONFIG_NOSYSTEM=1 \
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:$lib_report" \
		UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:$lib_report" \
		T="$lib_dir" \
		RALPH="${RALPH:-$root/build/asan/src/ralph}" \
		AGENT="${AGENT:-$root/build/asan/tests/agent/agent}" \
		RALPH_TEST="$(basename "$lib_dir")" RALPH_TEST_RUN="${RALPH_TEST_RUN:-none}" \
		bash "$(realpath "$0")" "$@"
fi

lib_count=0
lib_failed=0
lib_planned=
lib_cpus=$(nproc)
cd "$T/work" || exit 1
SWARM=$T/swarm
ln -sf "$RALPH" "$SWARM"
# shellcheck disable=SC2034
loop=("$RALPH" run --prompt-file prompt --name)

plan() {
	lib_planned=$1
	echo "1..$1"
}

done_testing() {
	plan "$lib_count"
}

skip_all() {
	lib_planned=0
	echo "1..0 # SKIP $*"
	exit 0
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

pass() {
	lib_count=$((lib_count + 1))
	echo "ok $lib_count - $1"
}

fail() {
	lib_count=$((lib_count + 1))
	lib_failed=$((lib_failed + 1))
	echo "not ok $lib_count - $1"
	diag "at line ${BASH_LINENO[-2]} of $(basename "$0")"
	[[ $# -lt 2 ]] || diag "$2"
	return 0
}

ok() {
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed: $*"; fi
}

not_ok() {
	local name=$1
	shift
	if "$@"; then fail "$name" "did not fail: $*"; else pass "$name"; fi
}

is() {
	if [[ $1 == "$2" ]]; then
		pass "$3"
	else
		fail "$3" "$(printf 'got:  %s\nwant: %s' "$1" "$2")"
	fi
}

like() {
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3" "$(printf 'got: %s\nwant a match of: %s' "$1" "$2")"
	fi
}

unlike() {
	if [[ $1 =~ $2 ]]; then
		fail "$3" "$(printf 'got: %s\nwant no match of: %s' "$1" "$2")"
	else
		pass "$3"
	fi
}

# shellcheck disable=SC2034 # $out and $err are for the test
run() {
	status=0
	"$@" </dev/null >"$T/out" 2>"$T/err" || status=$?
	out=$(tr -d '\0' <"$T/out")
	err=$(tr -d '\0' <"$T/err")
}

exit_is() {
	if [[ $status -eq $1 ]]; then
		pass "$2"
	else
		fail "$2" "$(printf 'exit status %s, want %s\nstdout: %s\nstderr: %s' "$status" "$1" "$out" "$err")"
	fi
}

run_bg() {
	# The shell that becomes the command names its output after itself.
	# shellcheck disable=SC2016
	bash -c 'exec >"$T/bg.$$.out" 2>"$T/bg.$$.err" "$@"' bash "$@" </dev/null &
	# shellcheck disable=SC2034
	bg=$!
}

field() {
	"$RALPH" status --json "$1" | jq -r "$2"
}

field_is() {
	[[ $(field "$1" "$2" 2>/dev/null) == "$3" ]]
}

said() {
	local count
	count=$(grep -csE -e "$2" "$1")
	((${count:-0} >= ${3:-1}))
}

agent_of() {
	field "$1" '.sessions[0].pid // empty'
}

keeper_of() {
	local keepers=("$RALPH_HOME/loops/$1/sessions/$(field "$1" '.sessions[0].id')"/keeper.json)
	jq -r '.pid' "${keepers[0]}"
}

supervisor_of() {
	jq -r '.pid' "$RALPH_HOME/loops/$1/lock"
}

spare_of() {
	local supervisor pid keeper children=()
	supervisor=$(supervisor_of "$1")
	keeper=$(keeper_of "$1" 2>/dev/null)
	{ read -ra children <"/proc/$supervisor/task/$supervisor/children"; } 2>/dev/null || true
	for pid in "${children[@]}"; do
		[[ $pid == "$keeper" || $(cat "/proc/$pid/comm" 2>/dev/null) != ralph-keeper ]] || echo "$pid"
	done
}

has_spare() { [[ -n $(spare_of "$1") ]]; }
no_spare() { [[ -z $(spare_of "$1") ]]; }

# A zombie that nobody reaped is gone, too.
gone() {
	local pid
	for pid; do
		[[ $(sed -n 's/^State:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null) == [XZ]* || ! -e /proc/$pid ]] || return 1
	done
}

crash() {
	local pid
	kill -KILL "$@"
	for pid; do
		wait_for 20 gone "$pid"
		wait "$pid" 2>/dev/null
	done
}

# On a busy machine the wait may be over before the loop is paused; the next one is twice as long.
in_backoff() {
	local name=$1 log=$T/bg.$bg.out before
	shift
	while wait_for 60 lib_waits "$log"; do
		before=$(tail -n 1 "$log")
		run "$@"
		wait_for 20 said "$log" "^\[ralph\] $name: paused" || return
		failures=$(field "$name" .consecutive_failures)
		[[ $(tail -n 2 "$log") != "$before"$'\n'* ]] || return 0
		diag "too late for: $before"
		"$RALPH" resume "$name" >"$T/resumed"
		wait_for 20 said "$log" "^\[ralph\] $name: starting iteration $((failures + 1))/"
	done
	return 1
}

lib_waits() {
	tail -n 1 "$1" 2>/dev/null | grep -qE 'retrying in ([4-9]|[1-9][0-9]+)s'
}

spans() {
	# shellcheck disable=SC2001 # a pattern is no regular expression
	sed 's/duration: [^)]*)/duration: T)/' <<<"$1"
}

lib_gone() {
	! kill -0 "$1" 2>/dev/null
}

end_bg() {
	status=-1
	if wait_for "$1" lib_gone "$2"; then
		status=0
		wait "$2" || status=$?
	fi
	out=$(tr -d '\0' <"$T/bg.$2.out")
	err=$(tr -d '\0' <"$T/bg.$2.err")
}

may_mount() {
	local way
	[[ -z ${IN_NAMESPACE:-} ]] || return 0
	export IN_NAMESPACE=no
	for way in 'unshare -m' 'unshare -Urm'; do
		$way mount -t tmpfs none "$T/tmp" 2>/dev/null || continue
		# shellcheck disable=SC2086 # the way has several words
		IN_NAMESPACE=yes exec $way bash "$0" "$@"
	done
}

# Fewer than four processes a processor make no difference.  What counts is the last minute, or this
# moment when it is worse.
patience() {
	local load running
	read -r load _ _ running _ </proc/loadavg
	load=${load%.*} running=${running%/*}
	((load > running)) || load=$running
	load=$((1 + load / lib_cpus / 4))
	echo $(($1 * (load < 6 ? load : 6)))
}

took_less() {
	local took=$((${EPOCHREALTIME/./} - ${2/./}))
	((took < $1 * 1000000 || took < $(patience "$1") * 1000000))
}

wait_for() {
	local begin=${EPOCHREALTIME/./} seconds=$1
	shift
	until "$@"; do
		if ! took_less "$seconds" "$begin"; then
			fail "within $seconds s: $*"
			return 1
		fi
		sleep 0.02
	done
}

# Sets lib_left to the processes that carry our mark; `grep` and we are none of them.
lib_leftovers() {
	env -u RALPH_TEST grep -lszx -e "RALPH_TEST=$RALPH_TEST" /proc/[0-9]*/environ >"$T/left"
	mapfile -t lib_left < <(env -u RALPH_TEST sed -e 's|/proc/||' -e 's|/environ||' -e "/^$$\$/d" "$T/left")
}

lib_none_left() {
	lib_leftovers
	[[ ${#lib_left[@]} -eq 0 ]]
}

no_leftovers() {
	local begin=${EPOCHREALTIME/./}
	until lib_none_left; do
		if ! took_less 20 "$begin"; then
			fail "$1" "$(ps -o pid,ppid,stat,args -p "$(IFS=,; echo "${lib_left[*]}")")"
			return
		fi
		sleep 0.02
	done
	pass "$1"
}

# What a sanitizer said, in whatever process of the test, is a failure.  That a process was killed while it was checked
# for leaks is not.
lib_reports() {
	local report said
	for report in "$T"/reports/*; do
		[[ -s $report ]] || continue
		said=$(grep -vE '^==[^ ]*==Unable to get registers from thread [0-9]+\.$' "$report" | head -n 60)
		[[ -z $said ]] || fail "no sanitizer report" "$said"
	done
}

lib_finish() {
	local code=$? tries
	trap - EXIT
	for ((tries = 0; tries < 250; tries++)); do
		lib_none_left && break
		kill -KILL "${lib_left[@]}" 2>/dev/null
		sleep 0.02
	done
	lib_reports
	cd /
	chmod -R u+rwX "$T" 2>/dev/null
	rm -rf "$T"
	[[ $code -eq 0 && -n $lib_planned && $lib_failed -eq 0 ]] || exit 1
	exit 0
}
trap lib_finish EXIT
trap 'exit 130' INT TERM HUP
