#!/usr/bin/env bash
# A file of another user in a loop of ours is refused where it decides what is run: spec.json, journal.jsonl,
# snapshot.json.
. "$(dirname "$0")/../cli/lib.sh"

printf 'do it\n' >prompt
run "${loop[@]}" mine --max-iterations 2 --max-failures 1 -- "$AGENT" -e 'touch ran; exit 1'
exit_is 1 "a loop ran, and could go on"
run "$SWARM" spawn --name job -- "$AGENT" -e 'touch ran'
run "$SWARM" wait job
rm -f ran
dir=$RALPH_HOME/loops/mine
ok "(it has all three files)" ls "$dir/spec.json" "$dir/journal.jsonl" "$dir/snapshot.json"

# FILE WHY: whoever would believe the file says why not, and runs nothing.
refused() {
	local command
	for command in status resume 'resume --foreground' logs stop pause repair wait; do
		# shellcheck disable=SC2086 # words
		run "$RALPH" $command mine
		like "$status $err" "^1 ralph: error: $dir/$1 $2" "$command: $1"
	done
	run "$SWARM" respawn mine
	like "$status $err" "^1 swarm: error: $dir/$1 $2" "swarm respawn: $1"
	run "$SWARM" ralph resume mine
	like "$status $err" "^1 swarm: error: $dir/$1 $2" "swarm ralph resume: $1"
	run "$RALPH" ls
	like "$status $err" "^1 ralph: error: mine: $dir/$1 $2" "ls: $1"
	like "$out" $'\njob ' "ls shows the others"
	run "$RALPH" clean --all --dry-run
	like "$status $err" "^1 .*$dir/$1 $2" "clean --all: $1"
	not_ok "nothing of it ran" test -e ran
}
touch probe
if [[ $(id -u) -eq 0 ]] && chown 12345 probe 2>/dev/null; then
	for file in spec.json journal.jsonl snapshot.json; do
		chown 12345 "$dir/$file"
		refused "$file" 'belongs to another user \(uid 12345; this is uid 0\), who could have commands run here'
		chown 0 "$dir/$file"
	done
	chown 12345 "$RALPH_HOME/loops/job/spec.json"
	run "$SWARM" respawn job
	like "$status $err" "^1 swarm: error: $RALPH_HOME/loops/job/spec.json belongs to another user" "swarm respawn of a plain worker"
	chown 0 "$RALPH_HOME/loops/job/spec.json"
	not_ok "nothing of it ran, either" test -e ran
	# An earlier run.
	run "${loop[@]}" mine --max-iterations 1 -- "$AGENT" -e 'println x'
	chown 12345 "$RALPH_HOME"/archive/mine.*/spec.json
	run "$RALPH" status mine@2
	like "$status $err" "^1 ralph: error: $RALPH_HOME/archive/mine\\..*/spec.json belongs to another user" "an earlier run, too"
else
	pass "files cannot be given away here: those of another user are left out # SKIP only root can give a file away"
fi
run "$RALPH" resume --foreground mine
unlike "$err" 'belongs' "a loop whose files are ours goes on"
no_leftovers "nothing goes on"
done_testing
