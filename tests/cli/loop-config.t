#!/usr/bin/env bash
# A project's configuration is never ignored: what is wrong with it is said, with file and key.
. "$(dirname "$0")/../cli/lib.sh"

"$RALPH" loop init >/dev/null
mkdir .tickets elsewhere
printf -- '---\nid: t-1\nstatus: open\ndeps: []\nlinks: []\npriority: 2\n---\n# One\n' >elsewhere/t-1.md

# says JSON WARNING: `status` goes on, and warns
says() {
	printf '%s' "$1" >.tf/ralph/config.json
	run "$RALPH" loop status
	is "$status $err" "0 ralph: warning: .tf/ralph/config.json: $2" "$1"
}
says '{"maxIterations": }' "line 1 column 19: unexpected token near '}'"
says '{"maxIterations": "many"}' \
	'maxIterations: must be a whole number from 1 to 1000000, not "many"'
says '{"useWorktree": true}' "there is no key 'useWorktree'; did you mean 'useWorktrees'?"
says '{"maxIterations": 1, "maxIterations": 2}' \
	"line 1 column 36: duplicate object key near '\"maxIterations\"'"
says '{"sessionPerTicket": false}' \
	"sessionPerTicket cannot be false: every ticket has a session of its own"

echo '{"ticketsDir": "elsewhere"}' >.tf/ralph/config.json
run "$RALPH" loop status --json
is "$status$err $(jq .ready <<<"$out")" "0 1" "what is right is done"

echo '{}' >.tf/ralph/config.json
run env RALPH_MAX_RESTARTS=x "$RALPH" loop status
is "$err" 'ralph: warning: RALPH_MAX_RESTARTS in the environment (maxRestarts): must be a whole number from 0 to 1000000, not "x"' \
	"the environment is checked, too"
done_testing
