#!/usr/bin/env bash
# A wrong bit anywhere in a loop's journal, before its snapshot or behind it, is said by every command
# that reads it, changes nothing, and is put right by `ralph repair`.
. "$(dirname "$0")/../cli/lib.sh"

RANDOM=${1:-$((EPOCHSECONDS % 32768))}
diag "seed: $RANDOM (bash ${0##*/} SEED plays one again)"
echo 'do it' >prompt
home=$RALPH_HOME/loops
run_bg "${loop[@]}" good --max-iterations 99 -- "$AGENT" -e 'when-iteration 30 touch late; when-iteration 30 hang'
wait_for 120 test -e late
"$RALPH" stop good >said
was=$("$RALPH" status good | grep -v '^Agent')
ok "(the snapshot is made after many lines)" test "$(jq .n "$home/good/snapshot.json")" -gt 64

# A copy to be spoilt; with its views, or it would count as reset.
copy() {
	rm -rf "${home:?}/bad"
	cp -a "$home/good" "$home/bad"
	sed -i 's/"good"/"bad"/' "$home/bad/spec.json"
	mkdir -p "$RALPH_HOME/ralph/bad"
	file=$home/bad/journal.jsonl
}

flip() {
	perl -e 'open(my $f, "+<", $ARGV[0]) or die; seek($f, $ARGV[1], 0); read($f, my $c, 1); seek($f, $ARGV[1], 0);
		print $f chr(ord($c) ^ 1 << $ARGV[2])' "$file" "$1" "$2"
}

sums() {
	find "$home/bad" "$RALPH_HOME/ralph/bad" -type f ! -name lock -exec sha256sum {} + | sort
}

# damaged WHAT: it is said, nothing is touched, and afterwards all is as it was
damaged() {
	local before sentence="journal.jsonl is damaged in line [0-9]+.*ralph repair bad"
	before=$(sums)
	run "$RALPH" status bad
	like "$status $err" "^1 ralph: error: $sentence" "$1: status says it"
	run timeout 90 "$RALPH" resume bad
	like "$status $err" "^1 ralph: error: $sentence" "$1: so does resume"
	run "$RALPH" repair bad
	like "$status $out" "^3 bad: journal.jsonl is damaged in line [0-9]+.*1 line with one wrong bit: put right" "$1: repair says what it would do"
	is "$err" "ralph: to do this: ralph repair --yes bad" "$1: and how to have it done"
	is "$(sums)" "$before" "$1: nothing was touched"
	cp "$file" damaged
	run "$RALPH" repair --yes bad
	exit_is 0 "$1: it is repaired"
	ok "$1: with every byte" cmp "$file" "$home/good/journal.jsonl"
	ok "$1: the damaged ones are kept" cmp damaged "$home"/bad/journal.corrupt.*.jsonl
	is "$("$RALPH" status bad | sed 's/bad/good/' | grep -v '^Agent')" "$was" "$1: and the loop is what it was"
}

size=$(stat -c %s "$home/good/journal.jsonl")
for _ in {1..6}; do
	at=$((RANDOM * 32768 + RANDOM)) bit=$((RANDOM % 8))
	copy
	flip "$((at % size))" "$bit"
	damaged "bit $bit of byte $((at % size)) of $size, before the snapshot"
	copy
	rm "$home/bad/snapshot.json"
	at=$((RANDOM * 32768 + RANDOM)) bit=$((RANDOM % 8))
	flip "$((at % size))" "$bit"
	damaged "bit $bit of byte $((at % size)) of $size, without a snapshot"
done
last=$(($(head -c -1 "$home/good/journal.jsonl" | tail -n 1 | wc -c) + 1))
for at in $((size - 1)) $((size - 2)) $((size - RANDOM % last - 1)); do
	copy
	flip "$at" 0
	damaged "bit 0 of byte $at, in the last line"
done

# What was zeroed or torn at the end was never told to anybody; it goes as it always did.
copy
printf '{"n":4711,"t":"2026' >>"$file"
head -c 300 /dev/zero >>"$file"
run "$RALPH" status bad
exit_is 0 "half a line with zeros behind it does not hide the loop"
run "$RALPH" repair bad
like "$status $out" "^0 bad: nothing is damaged" "and needs no repair"

# A snapshot that is damaged or gone hides nothing either.
copy
rm "$home/bad/snapshot.json"
is "$("$RALPH" status bad | sed 's/bad/good/' | grep -v '^Agent')" "$was" "without the snapshot the loop is what it was"
copy
file=$home/bad/snapshot.json flip 200 3
is "$("$RALPH" status bad | sed 's/bad/good/' | grep -v '^Agent')" "$was" "with a wrong bit in the snapshot, too"

# A line that is lost for good, before the snapshot: the state is exact, and it can be resumed.
copy
sed -i '7s/^.*$/something else entirely/' "$file"
run "$RALPH" repair --json bad
is "$(jq -c '[.damaged, .line, .lost, .dropped, .done, .archive]' <<<"$out")" '[true,7,1,0,false,false]' "--json has the plan"
run "$RALPH" repair --json --yes bad
is "$(jq -c '[.lost, .done]' <<<"$out")" '[1,true]' "and what was done"
ok "its copy is named" test -s "$home/bad/$(jq -r .kept <<<"$out")"
is "$("$RALPH" status bad | sed 's/bad/good/' | grep -v '^Agent')" "$was" "the loop is what it was"
run "$RALPH" repair bad
like "$status $out" "^0 bad: nothing is damaged" "there is nothing more to do"
touch go
run timeout 60 "$RALPH" resume --foreground bad
like "$err" "warning: bad: journal.jsonl: 1 of its lines were lost" "whoever goes on is told that something is missing"
exit_is 0 "and goes on to the end"

# The same behind it: what can be proven ends there.
copy
rm "$home/bad/snapshot.json"
line=$(grep -n '"iteration":20' "$file" | head -n 1 | cut -d: -f1)
sed -i "${line}s/^.*\$/something else entirely/" "$file"
run "$RALPH" repair --dry-run --yes bad
like "$out" "whole lines behind a gap: taken out.*the loop is then: running, iteration 19.*11 later sessions: set aside" "what cannot be proven is named"
ok "--dry-run does nothing" grep -q '^something else' "$file"
run "$RALPH" repair --yes bad
exit_is 0 "it is repaired"
is "$(field bad .iteration)" 19 "up to the gap"
ok "what later agents wrote is kept" compgen -G "$home/bad/sessions/*-30.corrupt.*/meta.json"

# Nothing is left of its beginning: the name is free, and every byte is in the archive.
copy
rm "$home/bad/snapshot.json"
sed -i '1s/^.*$/something else entirely/' "$file"
cp "$file" damaged
run "$RALPH" repair --yes bad
is "$status $(tail -n 1 <<<"$out")" "0 moved bad to the archive" "a loop without a beginning goes to the archive"
ok "as it is" cmp damaged "$RALPH_HOME"/archive/bad.*/journal.jsonl
run timeout 90 "${loop[@]}" bad --max-iterations 1 -- "$AGENT" -e 'println new'
exit_is 0 "and the name can be used again"
run "$RALPH" repair nobody
like "$status $err" "^1 ralph: error: no loop named 'nobody'" "there must be such a loop"
no_leftovers "nothing goes on"
done_testing
