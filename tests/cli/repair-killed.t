#!/usr/bin/env bash
# ralph repair can be killed at every point: the journal is the damaged one or the mended one, and a
# second repair does the rest.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
home=$RALPH_HOME/loops
run_bg "${loop[@]}" good --max-iterations 9 -- "$AGENT" -e 'when-iteration 4 touch late; when-iteration 4 wait-file go'
wait_for 60 test -e late
"$RALPH" stop good >said
rm "$home/good/snapshot.json"
# Behind this line nothing can be proven: sessions go aside, and the journal gets shorter.
line=$(grep -n '"iteration":3' "$home/good/journal.jsonl" | head -n 1 | cut -d: -f1)
sed -i "${line}s/^.*\$/something else entirely/" "$home/good/journal.jsonl"

status=137 point=0
while [[ $status -eq 137 && $point -lt 60 ]]; do
	point=$((point + 1))
	rm -rf "${home:?}/bad"
	cp -a "$home/good" "$home/bad"
	sed -i 's/"good"/"bad"/' "$home/bad/spec.json"
	mkdir -p "$RALPH_HOME/ralph/bad"
	RALPH_FAULT=KILL@$point RALPH_FAULT_ROLE=other run "$RALPH" repair --yes bad
	[[ $status -eq 137 ]] || break
	cmp -s "$home/good/journal.jsonl" "$home/bad/journal.jsonl" && before=yes || before=no
	run "$RALPH" status bad
	if [[ $before == yes ]]; then
		like "$status $err" '^1 .*journal.jsonl is damaged in line' "killed at point $point: it is refused as before"
	else
		is "$status" 0 "killed at point $point: it is mended"
	fi
	run "$RALPH" repair --yes bad
	exit_is 0 "killed at point $point: a second repair does the rest"
	is "$(field bad .iteration)" 2 "killed at point $point: and the loop is there"
	ok "killed at point $point: the old bytes are kept" grep -qx 'something else entirely' "$home"/bad/journal.corrupt.*
	ok "killed at point $point: the later recordings, too" compgen -G "$home/bad/sessions/*-4.corrupt.*/output.raw"
	status=137
done
ok "(there were such points)" test "$point" -gt 4
exit_is 0 "it ends when nobody kills it"
touch go
run timeout 60 "$RALPH" resume --foreground bad
exit_is 0 "and the loop goes on"
no_leftovers "nothing goes on"
done_testing
