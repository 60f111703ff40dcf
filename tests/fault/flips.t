#!/usr/bin/env bash
# One wrong bit in a file of a loop whose supervisor died, at random places: in the journal it is said, nothing is
# touched, and repair puts it right; in the snapshot, and in what is made from facts, it changes nothing that counts.
# However that is, the loop goes on to its end afterwards.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "there is no jq"

RANDOM=$((sweep_seed % 32768))
times=2
[[ -z $full ]] || times=40
home=$RALPH_HOME
last=32 # iterations

# Long enough for a snapshot with lines behind it.
echo 'do it' >prompt
run_bg "${loop[@]}" good --max-iterations "$last" -- "$AGENT" -e "when-iteration 30 touch late; when-iteration 30 wait-file $T/never"
wait_for 120 test -e late
wait_for 20 field_is good '.sessions[0].pid != null' true
keeper=$(keeper_of good) agent=$(agent_of good)
crash "$bg" "$keeper" 2>/dev/null
wait_for 20 gone "$agent"
ok "(the snapshot is made after many lines, and lines follow it)" \
	test "$(jq .n "$home/loops/good/snapshot.json")" -gt 64 -a "$(jq .n "$home/loops/good/snapshot.json")" -lt "$(wc -l <"$home/loops/good/journal.jsonl")"
sed -i "s|$T/never|prompt|" "$home/loops/good/spec.json"
for part in loops ralph; do cp -a "$home/$part/good" "$T/kept.$part"; done
cp -a "$home/state.json" "$T/kept.state"

# Everything is as it was when the supervisor died.
again() {
	local part
	for part in loops ralph; do
		rm -rf "${home:?}/$part/good"
		cp -a "$T/kept.$part" "$home/$part/good"
	done
	rm -f "$home"/state.corrupt.*
	cp -a "$T/kept.state" "$home/state.json"
}

flip() {
	perl -e 'open(my $f, "+<", $ARGV[0]) or die; my $at = $ARGV[1] >> 3; seek($f, $at, 0); read($f, my $c, 1);
		seek($f, $at, 0); print $f chr(ord($c) ^ 1 << ($ARGV[1] & 7))' "$1" "$2"
}

sums() {
	find "$home"/{loops,ralph}/good -type f ! -name lock -exec sha256sum {} + | sort
}

# wrong SENTENCE: what is told of a flip that does not go well
wrong() {
	said+="bit $bit: $1
$out$err
"
}

# Iterations 31 and 32 come, none twice, and the end is in the journal once.  One agent was lost with its supervisor,
# which is why it is not 0.
goes_on() {
	local want=11 max=$last started
	run timeout 120 "$RALPH" resume --foreground good
	# That number is the user's to change, and a wrong bit may look like that.
	if [[ $1 == view ]]; then max=$(field good .max_iterations); fi
	[[ $max == "$last" ]] || return 0
	[[ $status -eq $want ]] || wrong "it does not go on: exit status $status"
	started=$(jq -r '.facts[] | select(.fact == "started") | .iteration' "$home/loops/good/journal.jsonl" | xargs)
	[[ $started == "$(seq "$last" | xargs)" ]] || wrong "not every iteration came once: $started"
	[[ $(jq -r '.facts[] | select(.fact == "finished") | .fact' "$home/loops/good/journal.jsonl" | wc -l) -eq 1 ]] || wrong "it did not end once"
}

in_journal() {
	local before
	before=$(sums)
	run "$RALPH" status good
	[[ "$status $err" =~ ^"1 ralph: error: journal.jsonl is damaged in line "[0-9]+.*"ralph repair good" ]] || wrong "status does not say it"
	run timeout 90 "$RALPH" resume --foreground good
	[[ "$status $err" =~ ^"1 ralph: error: journal.jsonl is damaged in line " ]] || wrong "resume does not say it"
	[[ $(sums) == "$before" ]] || wrong "something was touched"
	run "$RALPH" repair --yes good
	[[ $status -eq 0 ]] || wrong "it is not repaired"
	cmp -s "$home/loops/good/journal.jsonl" "$T/kept.loops/journal.jsonl" || wrong "it is not what it was"
	goes_on journal
}

in_view() {
	run "$RALPH" status good
	[[ $status -eq 0 ]] || wrong "status fails"
	[[ $(field good .iteration) == 30 ]] || wrong "status says something else"
	goes_on "$1"
	jq -e . "$home/state.json" >/dev/null 2>&1 || wrong "the list of workers cannot be read"
}

# flipped WHAT FILE CHECK...: one check, made of some flips
flipped() {
	local what=$1 file=$2 bits bit said='' before i n=$times
	shift 2
	bits=$(($(stat -c %s "$file") * 8))
	if [[ -n $sweep_only ]]; then
		[[ ${sweep_only%@*} == "flip/$what/BIT" ]] || return 0
		n=1
	fi
	for ((i = 0; i < n; i++)); do
		bit=$(((RANDOM << 15 | RANDOM) % bits))
		[[ -z $sweep_only ]] || bit=${sweep_only##*@}
		again
		flip "$file" "$bit"
		before=$said
		"$@"
		[[ $said == "$before" ]] || said+="again: SWEEP=flip/$what/BIT@$bit ./test fault/flips
"
	done
	[[ -z $sweep_table ]] || echo "flip $what BIT $n $bits $(grep -c '^again: ' <<<"$said")" >>"$sweep_table"
	is "$said" "" "one wrong bit in $what: $n of $bits places, seed $sweep_seed"
}

flipped journal "$home/loops/good/journal.jsonl" in_journal
flipped snapshot "$home/loops/good/snapshot.json" in_view snapshot
flipped state.json "$home/ralph/good/state.json" in_view view
flipped iterations.log "$home/ralph/good/iterations.log" in_view log
flipped workers "$home/state.json" in_view workers
no_leftovers "nothing goes on"
done_testing
