#!/usr/bin/env bash
# A loop whose record is damaged is in the list like any other, and a script can see by its exit code whether
# `ralph repair` found damage and left it: 0 sound or repaired, 3 damaged and nothing was done.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
home=$RALPH_HOME/loops
for name in good journal spec gone; do
	"${loop[@]}" "$name" --max-iterations 1 -- true "$name" >out.txt
done
sed -i '2s/iteration/iteratioo/' "$home/journal/journal.jsonl"
rm -f "$home/journal/snapshot.json"
echo '{' >"$home/spec/spec.json"
mv "$home/gone/spec.json" kept.json

run "$RALPH" ls
exit_is 1 "ls fails when a loop cannot be read"
is "$(awk '{ print $1, $2, $3 }' <<<"$out")" "NAME STATUS ITERATION
gone damaged -
journal damaged -
spec damaged -
good complete 1/1" "and lists it as damaged"
like "$out" 'journal +damaged .* true journal' "with its command, where that is known"
for name in journal spec gone; do
	like "$err" "ralph: error: $name: .*ralph repair $name" "$name: what is wrong is said, and what helps"
done
run "$RALPH" ls --json
is "$(jq -c '.[] | [.name, .status, .supervised]' <<<"$out")" '["gone","damaged",false]
["journal","damaged",false]
["spec","damaged",false]
["good","stopped",false]' "--json, too"
like "$(jq -r '.[] | select(.name == "spec") | .message' <<<"$out")" 'spec.json' "with the sentence"

run "$RALPH" repair good
exit_is 0 "repair: a sound loop is 0"
sums() { find "$home/$1" -type f ! -name lock -exec sha256sum {} + | sort; }
for name in journal spec gone; do
	before=$(sums "$name")
	run "$RALPH" repair "$name"
	exit_is 3 "$name: damage that was only said is 3"
	run "$RALPH" repair --dry-run --yes "$name"
	exit_is 3 "$name: so is --dry-run"
	run "$RALPH" repair --json "$name"
	is "$status $(jq -c '[.damaged, .done]' <<<"$out")" "3 [true,false]" "$name: and --json"
	is "$(sums "$name")" "$before" "$name: nothing was touched"
done

# Nothing but spec.json says what to run: that is said, and who knows better can put it back.
run "$RALPH" repair spec
like "$out" "^spec: .*spec.json.*what the loop is to run stood only there: its directory goes to the archive.*loops/spec/spec.json" "repair says what can be done about spec.json"
cp kept.json "$home/gone/spec.json"
run "$RALPH" repair gone
exit_is 0 "a spec.json that somebody puts back is all it takes"
is "$(field gone .outcome)" complete "and the loop is what it was"
run "$RALPH" repair --yes spec
is "$status $(tail -n 1 <<<"$out")" "0 moved spec to the archive" "otherwise it goes to the archive"
is "$(cat "$RALPH_HOME"/archive/spec.*/spec.json)" '{' "with every byte"
run "$RALPH" repair --yes journal
exit_is 0 "repaired is 0"
run "$RALPH" ls
is "$status $(awk '{ print $1, $2 }' <<<"$out" | xargs)" "0 NAME STATUS gone complete journal complete good complete" "then all is well"

# On a terminal it asks; no is no.
sed -i '2s/iteration/iteratioo/' "$home/journal/journal.jsonl"
rm -f "$home/journal/snapshot.json"
tmux new-session -d -s asked -x 150 -y 40 "$RALPH repair journal; echo \"exit code \$?\"; cat"
shows() { tmux capture-pane -p -t asked | grep -q "$1"; }
wait_for 30 shows 'Do this?'
tmux send-keys -t asked n Enter
wait_for 30 shows 'exit code'
ok "whoever says no gets 3" shows 'exit code 3'
tmux kill-session -t asked
no_leftovers "nothing goes on"
done_testing
