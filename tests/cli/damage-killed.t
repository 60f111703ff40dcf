#!/usr/bin/env bash
# Every process that we started can be ended and steered, also when the record of its loop is damaged: with its
# supervisor, which knows the loop by heart, and without it, by what the sessions' directories tell.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
home=$RALPH_HOME/loops

# begin NAME: a loop of `ralph run` whose agent hangs; its first line is then damaged
begin() {
	run_bg "${loop[@]}" "$1" --max-iterations 3 --grace 1s -- \
		"$AGENT" -e "touch $1; wait-file go.$1"
	wait_for 30 test -e "$1"
	wait_for 30 field_is "$1" '.sessions[0].pid != null' true
}

spoil() {
	printf '?' | dd of="$home/$1/journal.jsonl" bs=1 seek=30 conv=notrunc status=none
}

# spawn NAME: the same with a worker of swarm's
spawn() {
	run_bg "$SWARM" spawn --ralph --name "$1" --prompt-file prompt --max-iterations 3 -- \
		"$AGENT" -e "touch $1; wait-file go.$1"
	wait_for 30 test -e "$1"
	wait_for 30 field_is "$1" '.sessions[0].pid != null' true
}

begin live
agent=$(agent_of live)
spoil live
run timeout 30 "$RALPH" pause live
is "$status $out" "0 paused ralph loop for live" "a supervisor can be told to pause"
like "$err" "warning: live: journal.jsonl is damaged in line 1" "with a warning"
run timeout 30 "$RALPH" resume live
is "$status $out" "0 resumed ralph loop for live" "and to go on"
run timeout 60 "$RALPH" stop live
is "$status $out" "0 stopped ralph loop for live" "and to end"
end_bg 30 "$bg"
ok "the agent is gone" gone "$agent"

begin dead
agent=$(agent_of dead)
crash "$bg"
spoil dead
run timeout 30 "$RALPH" resume dead
like "$status $err" '^1 ralph: error: .*ralph repair dead' "without a supervisor nothing goes on"
ok "(the agent lives)" kill -0 "$agent"
run timeout 60 "$RALPH" stop dead
is "$status $out" "0 stopped ralph loop for dead" "but what is left is ended"
like "$err" "warning: dead: journal.jsonl is damaged in line 1.*ralph repair dead" "with a warning"
ok "the agent of the dead supervisor is gone" gone "$agent"
run timeout 60 "$RALPH" stop dead
like "$status $err" '^1 ralph: error: journal.jsonl is damaged' "when nothing is left to end, the damage is the error"

# The settings are gone, and the agent lives.
begin unset
agent=$(agent_of unset)
crash "$bg"
echo '{' >"$home/unset/spec.json"
run "$RALPH" repair --yes unset
like "$status $err" '^1 ralph: error: an agent runs .*ralph stop unset' "a loop is not archived under its agent"
run timeout 60 "$RALPH" stop unset
is "$status $out" "0 stopped ralph loop for unset" "which can be ended"
ok "and is gone" gone "$agent"
run "$RALPH" repair --yes unset
exit_is 0 "then it is archived"

# swarm: by name, and all.
agents=()
for name in one two three; do
	spawn "$name"
	agents+=("$(agent_of "$name")")
done
spoil one
spoil two
spoil three
run timeout 30 "$SWARM" ralph pause one
is "$status $out" "0 paused ralph loop for one" "swarm: pause"
run timeout 30 "$SWARM" ralph resume one
is "$status $out" "0 resumed ralph loop for one" "swarm: resume"
run timeout 60 "$SWARM" kill one
is "$status $out" "0 killed one" "swarm: kill"
run timeout 90 "$SWARM" kill --all
is "$(sort <<<"$out" | xargs)" "killed three killed two" "swarm: kill --all"
ok "swarm: and all their agents are gone" gone "${agents[@]}"
no_leftovers "nothing goes on"
done_testing
