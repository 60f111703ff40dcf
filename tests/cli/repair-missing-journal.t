#!/usr/bin/env bash
# A loop whose journal is gone, or empty with nothing beside it that tells of it, is damaged: it goes to the archive.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
home=$RALPH_HOME
for way in missing empty; do
	run "${loop[@]}" bad --max-iterations 1 -- true
	exit_is 0 "($way: a loop)"
	rm -f "$home/loops/bad/snapshot.json"
	if [[ $way == missing ]]; then
		rm "$home/loops/bad/journal.jsonl"
		words='journal.jsonl is missing'
	else
		: >"$home/loops/bad/journal.jsonl"
		words='journal.jsonl is damaged in line 1: nothing is left of it'
	fi
	run "$RALPH" repair bad
	exit_is 3 "$way: it is damaged"
	like "$out" "^bad: $words" "$way: that is said"
	like "$out" 'it goes to the archive as it is, and the name is free' "$way: and what becomes of it"
	unlike "$out" 'nothing is damaged' "$way: nothing else"
	ok "$way: nothing was done" test -d "$home/loops/bad"
	run "$RALPH" repair --json bad
	is "$(jq -c '[.damaged, .missing, .archive]' <<<"$out")" "[true,$([[ $way == missing ]] && echo true || echo false),true]" "$way: --json has the same"
	run "$RALPH" repair --yes bad
	is "$status $(tail -n 1 <<<"$out")" "0 moved bad to the archive" "$way: it is done"
	not_ok "$way: the name is free" test -e "$home/loops/bad"
done

# With a snapshot its state is known.
run "${loop[@]}" sum --max-iterations 30 -- true
rm "$home/loops/sum/journal.jsonl"
run "$RALPH" repair sum
like "$status $out" '^3 sum: journal.jsonl is missing.*no line stays; the loop is then: complete, iteration 30' "the snapshot's sum stays"
run "$RALPH" repair --yes sum
exit_is 0 "and is put right"
is "$(field sum .iteration)" 30 "with its state"
no_leftovers "nothing goes on"
done_testing
