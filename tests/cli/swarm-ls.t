#!/usr/bin/env bash
# swarm ls shows the workers as a table, as JSON or as names, filtered by status and tag.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$SWARM" ls
exit_is 0 "no workers at all is fine"
is "$out$err" "" "and nothing to print, not even a header"
run "$SWARM" ls --format json
is "$out" "[]" "or an empty array"
run "$SWARM" ls --format names
is "$out" "" "or no name"

"${loop[@]}" over --max-iterations 2 -- "$AGENT" -e 'println x' >over.out
"${loop[@]}" agent --detach --max-iterations 9 -- "$AGENT" -e 'when-iteration 2 hang' >agent.out
wait_for 20 field_is agent '.iteration == 2 and .sessions[0].pid != null' true
pid=$(agent_of agent)
last=$(jq -r .agent.pid "$RALPH_HOME"/loops/over/sessions/*-2/keeper.json)
run "$SWARM" ls
exit_is 0 "it succeeds"
width=$((${#pid} > 10 ? ${#pid} : 10))
is "$(sed 's/ [0-9]*s  /  T  /; s/STARTED/T/; s/  *$//' <<<"$out" | tr -s ' ')" "NAME STATUS PID/WINDOW T WORKTREE TAG
over stopped $last T - -
agent running $pid T - -" "a table, in the order they came"
is "$(head -n 1 <<<"$out")" "$(printf 'NAME   STATUS   %-*s  STARTED  WORKTREE  TAG' "$width" PID/WINDOW)" \
	"whose columns are as wide as their widest cell"
is "$(awk '{ print length }' "$T/out" | sort -u | wc -l)" 1 "the last one is padded, too"
like "$out" "agent +running +$pid +[0-9]+s  " "STARTED is how long ago"

run "$SWARM" ls --format names
is "$out" "over
agent" "names, one a line"
run "$SWARM" ls --format names --status running
is "$out" "agent" "those that run"
run "$SWARM" ls --format names --status stopped
is "$out" "over" "those that do not"
run "$SWARM" ls --format names --status all
is "$(wc -l <<<"$out")" 2 "all of them"
run "$SWARM" ls --status running --tag none
is "$status $out" "0 " "a tag nobody has"

run "$SWARM" ls --format json
is "$(jq -c '.[] | [.name, .status, .cwd == "'"$PWD"'", .env, .tags, .tmux, .worktree, .metadata]' <<<"$out")" \
	'["over","stopped",true,{},[],null,null,{"ralph":true,"ralph_iteration":2}]
["agent","running",true,{},[],null,null,{"ralph":true,"ralph_iteration":2}]' "JSON has the whole record"
is "$(jq -c '.[1] | keys_unsorted' <<<"$out")" \
	'["name","status","cmd","started","cwd","env","tags","tmux","worktree","pid","metadata"]' "with the known keys"
is "$(jq -c '.[1].pid' <<<"$out")" "$pid" "and the pid"
like "$(jq -r '.[1].started' <<<"$out")" '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}$' "times are local, with microseconds"
is "$(jq -c '.[] | select(.metadata.ralph == true) | .name' <<<"$out")" '"over"
"agent"' "the ralph workers can be picked from it"

run "$SWARM" ls --format list
exit_is 2 "an unknown format is a usage error"
run "$SWARM" ls --status paused
exit_is 2 "so is an unknown status"
"$RALPH" stop agent >stopped
run "$SWARM" ls --format names --status running
is "$status $out" "0 " "after the end nobody runs"
no_leftovers "nothing goes on"
done_testing
