# seed.sh - what the tests of the documented scenarios start with.
# shellcheck shell=bash
#
# Besides all of lib.sh: the documented lines can be typed as they are.  `swarm` is the program, ~/.swarm
# its state, ./PROMPT.md says "Do task A", and `claude` is an interactive agent as the real one is: it
# switches its terminal to raw mode, shows a prompt, takes a pasted text up to the Enter behind it, which
# it leaves in prompt.ITERATION, and then does what ./claude.txt says (tests/agent/agent.c).
#
#	state_of NAME JQ            prints what jq finds in the loop's state.json
#	state_is NAME JQ VALUE      for wait_for and ok
#	worker_of NAME JQ           the same in the worker's record of `swarm ls --format json`
#	worker_is NAME JQ VALUE
#	log_of NAME                 the path of its iterations.log
#	agents N                    whether so many agents were started: claude.txt says "count starts"
#	next_agent                  lets the agent go that waits: claude.txt says "wait-file go; sh rm go"
#	windows [-L SOCKET]         prints the tmux windows there are: "session:name session:name ..."
#	windows_are LIST [-L SOCKET]
#	$template                   the documented PROMPT.md

# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir "$T/bin"
ln -s "$RALPH" "$T/bin/swarm"
cat >"$T/bin/claude" <<'SCRIPT'
#!/bin/bash
stty raw -echo
printf '\e[?2004h bypass permissions on\r\n> '
IFS= read -r -d '~' _
IFS= read -r -d '~' text
text=${text%$'\e'*}
printf '%s' "${text//[$'\r\n']/$'\r\n'}"
IFS= read -r -N 1 _
printf '%s' "${text//$'\r'/$'\n'}" >"prompt.$RALPH_ITERATION"
printf '\e[?2004l\r\n'
stty sane
exec "$AGENT" -e "$(cat claude.txt)"
SCRIPT
chmod +x "$T/bin/claude"
PATH=$T/bin:$PATH
echo 'Do task A' >PROMPT.md
# shellcheck disable=SC2034 # for the tests
template='study specs/README.md
study CLAUDE.md and pick the most important incomplete task

IMPORTANT:

- do not assume anything is implemented - verify by reading code
- update IMPLEMENTATION_PLAN.md when the task is done
- if tests are missing, add them (choose unit/integration/property as appropriate, follow existing patterns)
- run tests after changes
- commit and push when you are done'

state_of() {
	jq -r "$2" ~/.swarm/ralph/"$1"/state.json
}

state_is() {
	[[ $(state_of "$1" "$2" 2>/dev/null) == "$3" ]]
}

worker_of() {
	swarm ls --format json | jq -r ".[] | select(.name == \"$1\") | $2"
}

worker_is() {
	[[ $(worker_of "$1" "$2") == "$3" ]]
}

log_of() {
	echo ~/.swarm/ralph/"$1"/iterations.log
}

agents() {
	said starts . "$1"
}

next_agent() {
	touch go
	wait_for 20 test ! -e go
}

windows() {
	tmux "$@" list-windows -a -F '#{session_name}:#{window_name}' 2>/dev/null | sort | xargs
}

windows_are() {
	[[ $(windows "${@:2}") == "$1" ]]
}
