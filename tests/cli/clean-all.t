#!/usr/bin/env bash
# clean --all takes what is over, spares what could go on, and says how much it is; `swarm` leaves alone
# what it did not make.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >PROMPT.md
cp PROMPT.md prompt
# shellcheck disable=SC2016 # the agent's shell expands it
wait_or_hang='when-iteration 1 sh touch $RALPH_LOOP.begun; when-iteration 1 wait-file go; when-iteration 2 hang'
loops=("$RALPH" run --prompt-file prompt --max-iterations 5 --detach)
workers=("$SWARM" spawn --ralph --prompt-file PROMPT.md --max-iterations 5 --detach)

# begun NAME: its first agent works
begun() {
	wait_for 20 test -e "$1.begun"
	wait_for 20 field_is "$1" '.sessions[0].pid != null' true
}

# How each of them got into its state; the names say which it is.
run "$SWARM" spawn --name plain -- "$AGENT" -e 'println done'
run "$SWARM" wait plain
run "${loop[@]}" complete --max-iterations 1 -- "$AGENT" -e 'println recorded'
for name in s-crashed s-paused s-killed s-runs; do
	run "${workers[@]}" --name "$name" -- "$AGENT" -e "$wait_or_hang"
	begun "$name"
done
for name in r-crashed r-paused r-stopped r-runs; do
	run "${loops[@]}" --name "$name" -- "$AGENT" -e "$wait_or_hang"
	begun "$name"
done
for name in s-paused r-paused; do
	"$RALPH" pause "$name" >said
done
crash "$(supervisor_of s-crashed)" "$(supervisor_of r-crashed)"
for name in s-crashed r-crashed; do
	pid=$(agent_of "$name")
	kill -KILL "$pid" # its keeper ends with it
	wait_for 20 gone "$pid"
done
"$SWARM" kill s-killed >said
"$RALPH" stop r-stopped >said
# After a pause nobody supervises them any more, as after a reboot.
crash "$(supervisor_of s-paused)" "$(supervisor_of r-paused)"
for name in s-paused r-paused; do
	pid=$(agent_of "$name")
	kill -KILL "$pid"
	wait_for 20 gone "$pid"
done
at_rest() { [[ $("$SWARM" ls --format json | jq -r '.[] | select(.status == "running") | .name' | sort | xargs) == "r-runs s-runs" ]]; }
wait_for 20 at_rest

all() { "$RALPH" ls --format names | sort | xargs; }
everything="complete plain r-crashed r-paused r-runs r-stopped s-crashed s-killed s-paused s-runs"
is "$(all)" "$everything" "(all are there)"
before=$(find "$RALPH_HOME/loops" "$RALPH_HOME/ralph" -type d | sort)
run "$SWARM" clean --all --dry-run
exit_is 0 "swarm clean --all --dry-run"
like "$out" '^would clean plain
would clean s-killed
in all: 2 workers \([0-9.]+ [kM]B\)$' "says what would go, and how much it is"
like "$err" 'spared what can go on: s-crashed, s-paused ' "what is spared, because it could be resumed"
like "$err" 'left alone: 4 loops that swarm did not make' "and that the rest is not swarm's"
is "$(find "$RALPH_HOME/loops" "$RALPH_HOME/ralph" -type d | sort)" "$before" "and removes nothing"

# On a terminal it asks.
run script -qec "$(printf '%q clean --all' "$SWARM")" /dev/null
is "$(all)" "$everything" "an end of input on a terminal is no yes"
like "$out" 'Remove 2 workers \([0-9.]+ [kM]B\) for good\? \[y/N\]' "it asks on a terminal, and says how much it is"
like "$out" 'nothing was removed' "and says that it did nothing"
answer() {
	{
		wait_for 20 grep -q 'y/N' "$T/typescript" >&2
		echo "$1"
	} | script -qefc "$(printf '%q clean --all' "$SWARM")" "$T/typescript" >"$T/shown"
	rm -f "$T/typescript"
}
answer n
is "$(all)" "$everything" "n is no"
answer y
is "$(all)" "complete r-crashed r-paused r-runs r-stopped s-crashed s-paused s-runs" "y is yes: what swarm made and is over goes"

run "$SWARM" clean --all
is "$status$out" 0 "nothing is left that swarm would clean"
run "$RALPH" clean --all --older-than 1d
is "$(all)" "complete r-crashed r-paused r-runs r-stopped s-crashed s-paused s-runs" "what ended today is not older than a day"
run "$RALPH" clean --all --older-than 1ms
is "$out" "cleaned complete" "ralph clean --all takes every loop that is over"
like "$err" 'ralph: in all: 1 loop \([0-9.]+ [kM]B\)' "and says how much it was"
is "$(all)" "r-crashed r-paused r-runs r-stopped s-crashed s-paused s-runs" "and none that can go on"
run timeout 90 "$RALPH" resume r-crashed
exit_is 0 "which can be resumed"
"$RALPH" stop r-crashed >said
run "$SWARM" clean s-crashed
is "$status$out" "0cleaned s-crashed" "by its name one that could go on is cleaned"
run "$RALPH" clean r-paused
is "$status$out" "0cleaned r-paused" "one of ralph's, too"

# The views alone: without them a loop that does not run would be no loop any more.
run "$SWARM" ralph clean --all
is "$status $out" "0 cleaned ralph state for s-runs" "swarm ralph clean --all spares the same"
is "$(all)" "r-crashed r-runs r-stopped s-paused s-runs" "they are all still there"

# Earlier runs of a name are in the archive.
for _ in 1 2 3; do
	run "${loop[@]}" again --max-iterations 1 -- "$AGENT" -e 'println recorded'
done
run "$RALPH" clean again
ok "clean leaves earlier runs in the archive" test "$(find "$RALPH_HOME/archive" -mindepth 1 -maxdepth 1 -name 'again.*' | wc -l)" -eq 2
run "$RALPH" clean --all --archive --older-than 1d
ok "--older-than counts for them, too" test "$(find "$RALPH_HOME/archive" -mindepth 1 -maxdepth 1 -name 'again.*' | wc -l)" -eq 2
run "$RALPH" clean --all --archive --dry-run
like "$out" 'would clean archive/again\.[0-9TZ]+.*in all: 0 loops and 2 earlier runs' "--archive reaches them"
run "$SWARM" clean --all --archive
ok "swarm's does not: they are not its own" compgen -G "$RALPH_HOME/archive/again.*"
run "$RALPH" clean --archive again
is "$status $out" "0 cleaned 2 earlier runs of again" "--archive NAME removes them"
is "$(find "$RALPH_HOME" -name 'again*')" "" "and nothing is left"
run "$RALPH" clean --archive again
like "$status $err" "^1 ralph: error: worker 'again' not found" "a second time there is none"
run "$RALPH" clean --dry-run r-stopped
exit_is 2 "--dry-run needs --all"
"$RALPH" stop r-runs >said
"$SWARM" kill s-runs >said
no_leftovers "nothing goes on"
done_testing
