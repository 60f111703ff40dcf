#!/usr/bin/env bash
# swarm spawn: a plain worker is its command, once, in the background.
. "$(dirname "$0")/../cli/lib.sh"

mkdir place
run "$SWARM" spawn --name job --tag ci --tag fast --env GREETING=a=b --cwd place -- \
	"$AGENT" -e 'env GREETING greeting; println working; wait-file ../go; exit 3'
exit_is 0 "it returns at once"
like "$out" '^spawned job \(pid: [0-9]+\)$' "and says the process"
is "$err" "" "and nothing else"
pid=$(sed 's/.*pid: //; s/)//' <<<"$out")
not_ok "which runs" gone "$pid"
wait_for 20 test -e place/greeting
is "$(cat place/greeting)" "a=b" "with its environment, in its directory"
is "$(jq -r '.workers[0] | [.name, .status, .pid, .cwd, (.tags | join(",")), .env.GREETING, .tmux, .worktree] | map(tostring) | join(" ")' \
	"$RALPH_HOME/state.json")" "job running $pid $PWD/place ci,fast a=b null null" "the registry has it"
is "$(jq -c '.workers[0].metadata' "$RALPH_HOME/state.json")" "{}" "as a plain worker"

run "$SWARM" spawn --name job -- "$AGENT" -e 'touch second'
exit_is 1 "the name of a worker that runs is taken"
is "$err" "swarm: error: worker 'job' already exists" "it says so"
touch go
run "$SWARM" wait job
run "$SWARM" status job
exit_is 1 "a worker that is over is stopped"
run "$SWARM" logs job
is "$out" "working" "what it wrote stays readable"
run "$SWARM" spawn --name job -- "$AGENT" -e 'println again'
exit_is 0 "its name can be used again"
run "$SWARM" wait job
run "$SWARM" logs job
is "$out" "again" "by a worker of its own"
archived=("$RALPH_HOME"/archive/job.*)
ok "the old one is in the archive" grep -rq working "${archived[0]}/sessions"

# What is wrong is said in one sentence, and leaves nothing.
refused() {
	local code=$1 sentence=$2
	shift 2
	run "$SWARM" spawn "$@"
	exit_is "$code" "refused: $*"
	is "${err%%$'\n'*}" "swarm: error: $sentence" "$sentence"
}
refused 1 "no command provided (use -- command...)" --name x
refused 1 "no command provided (use -- command...)" --name x --
refused 2 "--name is required" -- true
refused 1 "invalid env format 'NOVALUE' (expected KEY=VAL)" --name x --env NOVALUE -- true
refused 1 "command not found: no-such-command" --name x -- no-such-command
refused 1 "cannot run ./nothing: No such file or directory" --name x -- ./nothing
refused 1 "--cwd $PWD/nowhere: No such file or directory" --name x --cwd nowhere -- true
refused 2 "--max-iterations needs --ralph" --name x --max-iterations 3 -- true
refused 2 "--branch needs --worktree" --name x --branch b -- true
refused 2 "--session 'a:b' cannot be the name of a tmux session" --name x --session a:b -- true
refused 2 "--ready-pattern: missing ), unterminated subpattern at position 0" --name x --tmux --ready-pattern '(' -- true
is "$(jq -r '.workers[].name' "$RALPH_HOME/state.json")" job "none of them is registered"
is "$(ls "$RALPH_HOME/loops")" job "none has left anything"
no_leftovers "nothing goes on"
done_testing
