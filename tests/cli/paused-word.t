#!/usr/bin/env bash
# A paused loop is called paused by every command, whether its supervisor waits or is gone; the filters, the exit
# codes and the records of swarm's stay as they are for a worker that does not run.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
word() { "$SWARM" ls | awk -v name="$1" '$1 == name { print $2 }'; }

# NAME STORY: an agent that has ended, of a loop that is paused
paused() {
	is "$(word "$1")" paused "$2: swarm ls"
	run "$SWARM" status "$1"
	like "$status $out" "^1 $1: paused \\(.*uptime [0-9]+s\\)\$" "$2: swarm status, which still exits with 1"
	is "$("$SWARM" ls --status stopped --format names)" "$1" "$2: --status stopped finds it, as before"
	is "$("$SWARM" ls --status running --format names)" "" "$2: --status running does not"
	is "$("$SWARM" ls --format json | jq -c '.[] | [.status, .paused]')" '["stopped",true]' \
		"$2: in JSON there are the two words of state.json, and that it is paused"
	is "$(field "$1" .status)" paused "$2: ralph status"
	like "$("$RALPH" ls)" "$1  paused " "$2: ralph ls"
}
"$SWARM" spawn --name there --ralph --prompt-file PROMPT.md --max-iterations 2 --detach -- \
	"$AGENT" -e 'count starts; wait-file go' >said
wait_for 30 test -s starts
"$SWARM" ralph pause there >said
is "$(word there)" running "an agent that finishes its iteration runs"
run "$SWARM" status there
is "$status ${out%% (*}" "0 there: running" "as status says"
touch go
wait_for 30 field_is there '.sessions | length' 0
paused there "with a supervisor"
run "$SWARM" clean there
is "$status $err" "1 swarm: error: cannot clean paused worker 'there': its supervisor waits for a resume; end it with: swarm kill there" \
	"swarm clean refuses it as paused"
run "$RALPH" clean there
is "$status $err" "1 ralph: error: cannot clean paused worker 'there': its supervisor waits for a resume; end it with: ralph kill there" \
	"so does ralph clean"
run "$SWARM" kill there
is "$status $out" "0 killed there" "it can be killed"
is "$(word there) $("$SWARM" ls --format json | jq -c '.[] | [.status, .paused]')" 'stopped ["stopped",null]' "and is stopped then"
run "$SWARM" clean there
is "$status $out" "0 cleaned there" "and can be cleaned"

rm -f starts go
run_bg "$SWARM" spawn --name gone --ralph --prompt-file PROMPT.md --max-iterations 2 -- "$AGENT" -e 'count starts; wait-file go'
wait_for 30 test -s starts
kill -TERM "$bg"
wait_for 30 field_is gone .status paused
touch go
end_bg 60 "$bg"
paused gone "without one"
run "$SWARM" ralph clean gone
is "$status $out" "0 cleaned ralph state for gone" "which can be reset"
no_leftovers "nothing goes on"
done_testing
