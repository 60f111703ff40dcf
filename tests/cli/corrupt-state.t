#!/usr/bin/env bash
# State that cannot be read is said and never overwritten.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" good --max-iterations 3 -- "$AGENT" -e 'when-iteration 2 touch second; when-iteration 2 hang'
wait_for 20 test -e second
"$RALPH" stop good >stop.out
home=$RALPH_HOME/loops
is "$(field good '[.status, .iteration] | join(" ")')" "stopped 2" "(a loop that could be resumed)"

# damage NAME: a copy to be spoilt
damage() {
	rm -rf "${home:?}/$1"
	cp -a "$home/good" "$home/$1"
	sed -i "s/\"good\"/\"$1\"/" "$home/$1/spec.json"
	file=$home/$1/journal.jsonl
}

# Without its snapshot, every line of the journal is read.
damage_journal() {
	damage "$1"
	rm "$home/$1/snapshot.json"
}

sums() {
	find "$home/$1" -type f ! -name lock -exec sha256sum {} + | sort
}

# refused NAME SENTENCE WHAT: whoever comes is told, and every byte stays
refused() {
	local name=$1 before command
	before=$(sums "$name")
	for command in status resume pause stop logs wait; do
		run timeout 90 "$RALPH" "$command" "$name"
		like "$status $err" "^1 ralph: error: .*$2" "$3: $command"
	done
	is "$(sums "$name")" "$before" "$3: nothing was touched"
	run "$RALPH" ls
	like "$out" "good +stopped" "$3: the other loops are still listed"
	like "$err" "^ralph: error: $name: " "$3: and this one is said"
}

# not_started_over NAME: a new loop does not take the name
not_started_over() {
	local before
	before=$(sums "$1")
	run timeout 90 "${loop[@]}" "$1" --max-iterations 1 -- "$AGENT" -e 'touch started'
	like "$status $err" '^1 ralph: error: ' "a new loop does not take the name"
	is "$(sums "$1")" "$before" "which changes nothing"
	not_ok "and starts nothing" test -e started
	rm -rf "${home:?}/$1"
}

# archived NAME: a new loop takes the name, and the old one can still be looked at
archived() {
	cp -a "$home/$1" before
	run timeout 90 "${loop[@]}" "$1" --max-iterations 1 -- "$AGENT" -e 'println new'
	exit_is 0 "a new loop takes the name"
	ok "and the old one is kept as it was" diff -r --exclude=lock --exclude=sock --exclude=worker \
		before "$(echo "$RALPH_HOME/archive/$1".*)"
	rm -rf before "${home:?}/$1"
}

damage_journal middle
sed -i '2s/iteration/iteratiom/' "$file"
refused middle 'journal.jsonl is damaged in line 2' "a changed letter"
not_started_over middle
damage_journal gap
sed -i 2d "$file"
refused gap 'journal.jsonl is damaged in line 2' "a missing line"
not_started_over gap
damage_journal garbage
sed -i '1i not a journal at all' "$file"
refused garbage 'journal.jsonl is damaged in line 1' "something else"
not_started_over garbage
damage_journal newer
n=$(($(wc -l <"$file") + 1))
printf '{"v":9,"n":%d,"what":"of a later version"}\n' "$n" >>"$file"
printf '{"v":9,"n":%d,"what":"of a later version"}\n' "$((n + 1))" >>"$file"
refused newer "journal.jsonl was written by a newer version \\(line $n" "lines of a newer version"
not_started_over newer
damage spec
echo '{' >"$home/spec/spec.json"
refused spec 'spec.json' "settings cut short"
archived spec
damage spec2
sed -i 's/"version": 1/"version": 2/' "$home/spec2/spec.json"
refused spec2 'spec.json was written by a newer version' "settings of a newer version"
archived spec2

# What only looks bad: an unfinished last line, a damaged snapshot.  With their views, or the loops
# would count as reset.
cp -a "$RALPH_HOME/ralph/good" "$RALPH_HOME/ralph/torn"
cp -a "$RALPH_HOME/ralph/good" "$RALPH_HOME/ralph/snapshot"
damage torn
printf '{"n":99,"t":"20' >>"$file"
run "$RALPH" status torn
is "$status $(grep Status <<<"$out")" "0 Status: stopped" "a torn last line does not hide the loop"
run timeout 90 "$RALPH" resume --foreground torn
exit_is 0 "and it can be resumed"
like "$err" 'ralph: warning: torn: journal.jsonl: an unfinished last line \([0-9]+ bytes\) was cut off' "which is noted"
damage snapshot
echo '{"v":1' >"$home/snapshot/snapshot.json"
run "$RALPH" status snapshot
is "$status $(grep Iteration <<<"$out")" "0 Iteration: 2/3" "a damaged snapshot does not either"
run timeout 90 "$RALPH" resume --foreground snapshot
exit_is 0 "and is no obstacle"
like "$err" 'ralph: warning: snapshot: .*snapshot.json' "it is noted"
ok "and kept" grep -rqx '{"v":1' "$home/snapshot" --include='snapshot.corrupt.*'
no_leftovers "nothing goes on"
done_testing
