#!/usr/bin/env bash
# Plain workers, with and without tmux, in ls, status, logs, peek and wait.
. "$(dirname "$0")/../cli/lib.sh"

run "$SWARM" spawn --name plain --tag slow --tag 'back end' -- "$AGENT" -e 'println hi; wait-file go'
exit_is 0 "a plain worker"
run "$SWARM" spawn --name term --tmux -- bash -c 'echo ready; cat'
exit_is 0 "and one in tmux"
shows() {
	[[ $("$SWARM" peek term) == "$1" ]]
}
wait_for 20 shows ready
pid=$(agent_of plain)
run "$SWARM" ls
is "$(sed -E 's/ +$//; s/ [0-9]+s / T /' "$T/out" | tr -s ' ')" "NAME STATUS PID/WINDOW STARTED WORKTREE TAG
plain running $pid T - slow,back end
term running swarm:term T - -" "pid or window, and tags"
run "$SWARM" ls --tag 'back end' --format names
is "$out" plain "a tag finds a worker"
run "$SWARM" ls --format json
is "$(jq -c '.[] | [.name, .tags, .tmux, .pid, .metadata]' <<<"$out")" "[\"plain\",[\"slow\",\"back end\"],null,$pid,{}]
[\"term\",[],{\"session\":\"swarm\",\"window\":\"term\",\"socket\":null},null,{}]" "the same as JSON"
run "$SWARM" status plain
like "$status $out" "^0 plain: running \\(pid $pid, uptime [0-9]+s\\)\$" "status of the one"
run "$SWARM" status term
like "$status $out" '^0 term: running \(tmux window swarm:term, uptime [0-9]+s\)$' "and of the other"
run "$SWARM" ralph status plain
is "$status $err" "1 swarm: error: worker 'plain' is not a ralph worker" "neither is a loop"
run "$SWARM" ralph list
is "$status$out" 0 "and in no list of them"
run "$SWARM" ralph logs plain
is "$status $err" "1 swarm: error: worker 'plain' is not a ralph worker" "nor has it events"
run "$SWARM" logs plain
is "$out" hi "what the one wrote"
run "$SWARM" send term hello
wait_for 20 shows "ready
hello
hello"
run "$SWARM" eof term
run "$SWARM" wait --timeout 90 term
is "$status $out" "0 term: exited" "the other ends"
run "$SWARM" logs term
is "$out" "ready
hello
hello" "what it wrote stays, though its window is gone"
run "$SWARM" status term
like "$status $out" '^1 term: stopped \(tmux window swarm:term, uptime [0-9]+s\)$' "and it is told as stopped"
touch go
run "$SWARM" wait --timeout 90 plain
is "$status $out" "0 plain: exited" "the one ends, too"
run "$SWARM" status plain
like "$status $out" "^1 plain: stopped \\(pid $pid, uptime [0-9]+s\\)\$" "and keeps its pid"
no_leftovers "nothing goes on"
done_testing
