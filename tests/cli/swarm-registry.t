#!/usr/bin/env bash
# state.json: a broken file is moved aside, a broken record hides no other, nobody's key is lost.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
state=$RALPH_HOME/state.json
"${loop[@]}" agent --detach --max-iterations 2 -- "$AGENT" -e 'when-iteration 1 wait-file go; when-iteration 2 hang' >agent.out
wait_for 20 field_is agent '.sessions[0].pid != null' true
in_state() {
	[[ $(jq -r "$1" "$state" 2>/dev/null) == "$2" ]]
}
wait_for 20 in_state '.workers[0].name' agent
is "$(jq -c '.workers[0] | [.status, .metadata]' "$state")" '["running",{"ralph":true,"ralph_iteration":1}]' "a worker is in it"

# Keys of others.
jq '.note = "mine" | .workers[0].colour = "red" | .workers[0].metadata.team = "a" | .workers += [{"name": "half"}, 7]' "$state" >new
mv new "$state"
run "$SWARM" ls
exit_is 1 "a record that makes no sense is a failure"
like "$err" '^swarm: warning: malformed worker record 2 in state.json
swarm: warning: malformed worker record 3 in state.json$' "which is said"
like "$out" '
agent +running' "and hides no other"
run "$SWARM" ls --format json
is "$status $(jq -c '[.[] | [.name, .colour, .metadata.team]]' <<<"$out")" '1 [["agent","red","a"]]' "the same as JSON"
run "$SWARM" status agent
exit_is 0 "the others can be asked"
touch go
wait_for 20 in_state '.workers[0].metadata.ralph_iteration' 2
is "$(jq -c '[.note, .workers[0].colour, .workers[0].metadata, .workers[1], .workers[2]]' "$state")" \
	'["mine","red",{"ralph":true,"ralph_iteration":2,"team":"a"},{"name":"half"},7]' "what others wrote survives a change"

# A file that is none, while nobody else is about to write it.
wait_for 20 field_is agent '.sessions[0].pid != null' true
wait_for 20 in_state '.workers[0].pid' "$(agent_of agent)"
printf '{"workers": [{"name"' >"$state"
run "$SWARM" ls
exit_is 0 "a broken file is no failure"
like "$err" '^swarm: warning: corrupt state file, resetting \(the old one is state\.corrupt\.[0-9TZ]+\.json\)$' "it is said"
like "$out" '
agent +running' "and no worker of ours is lost with it"
is "$(cat "$RALPH_HOME"/state.corrupt.*.json)" '{"workers": [{"name"' "it is kept"
run "$SWARM" ls
is "$status $err" "0 " "and said once"
"$RALPH" stop agent >stopped
wait_for 20 in_state '.workers[0] | [.name, .status] | join(" ")' 'agent stopped'
rm "$state"
run "$SWARM" ls --format names
is "$status $out" "0 agent" "without the file the workers are found all the same"
echo '[]' >"$state"
run "$SWARM" status agent
like "$err" '^swarm: warning: corrupt state file, resetting' "another kind of file is none, either"
no_leftovers "nothing goes on"
done_testing
