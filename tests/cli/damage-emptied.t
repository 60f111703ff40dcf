#!/usr/bin/env bash
# A journal that somebody emptied or cut, with a snapshot and views beside it: what `ralph repair` says of its lines is
# true. Those that are lost do not stay, and whether there were more behind the snapshot is not known.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
home=$RALPH_HOME/loops
run "${loop[@]}" bad --max-iterations 30 -- true
file=$home/bad/journal.jsonl
n=$(jq .n "$home/bad/snapshot.json")
cp "$file" whole
ok "(the snapshot is made after many lines)" test "$n" -gt 64
unknown="whether others followed line $n is not known"

: >"$file"
run "$RALPH" repair bad
like "$status $out" '^3 bad: journal.jsonl is damaged in line 1: nothing is left of it' "an empty journal is called so"
like "$out" "  $n lines lost; snapshot.json tells their sum" "its lines are lost"
like "$out" "  no line stays; the loop is then: complete, iteration 30" "and none stays"
like "$out" "  $unknown" "nor is it known where it ended"
unlike "$out" "$n lines stay" "nothing else is said"
run "$RALPH" repair --json bad
is "$(jq -c '[.lines, .lost, .staying]' <<<"$out")" "[$n,$n,0]" "--json has the same"
run "$RALPH" repair --yes bad
exit_is 0 "it is repaired"
run "$RALPH" repair bad
is "$status $out" "0 bad: nothing is damaged (no line stays of $n; the others only keep their number)" "which does not bring them back"

head -n 10 whole >"$file"
run "$RALPH" repair bad
like "$out" "  $((n - 10)) lines lost.*  10 lines stay; the loop is then: complete, iteration 30.*  $unknown" "what was cut off is lost, and only that"
head -n 1 whole >"$file"
run "$RALPH" repair bad
like "$out" '  1 line stays; the loop is then' "one is one"
sed '7s/^.*$/something else entirely/' whole >"$file"
run "$RALPH" repair bad
like "$out" "  1 line lost.*  $((n - 1)) lines stay" "one in the middle is one less"
unlike "$out" 'is not known' "then the end is there"
cp whole "$file"
run "$RALPH" repair bad
is "$status $out" "0 bad: nothing is damaged ($n lines)" "a whole journal has all of them"
no_leftovers "nothing goes on"
done_testing
