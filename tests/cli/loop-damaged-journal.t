#!/usr/bin/env bash
# A journal with a wrong bit before its snapshot: the views of a loop over tickets are not written again
# from what is left of it.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-{1..5}; do ticket "$id"; done
does pt-5 'after go; work; close_ticket; commit'
work_on_bg --parallel 1
wait_for 60 said "$T/log" '^start pt-5'
kill -TERM "$bg"
end_bg 30 "$bg"
dir=$(echo "$RALPH_HOME"/loops/*)
name=${dir##*/}
ok "(all of its lines are before the snapshot)" test "$(jq .n "$dir/snapshot.json")" -eq "$(wc -l <"$dir/journal.jsonl")"
cp "$dir/journal.jsonl" whole
line=$(grep -n '"landed"' whole | head -n 1 | cut -d: -f1)
at=$(($(head -n "$line" whole | wc -c) - 60))

spoil() {
	cp whole "$dir/journal.jsonl"
	dd if=/dev/zero of="$dir/journal.jsonl" bs=1 seek="$at" count="$1" conv=notrunc status=none
}

views() {
	find .tf ! -path '*/lock*' -type f -exec sha256sum {} + | sort
}

echo go >>"$T/log"
before=$(views)
spoil 1
work_on --parallel 1
exit_is 1 "the run does not go on"
like "$err" "error: journal.jsonl is damaged in line $line .*ralph repair $name" "and says where it is damaged, and what helps"
is "$(views)" "$before" "every view is as it was"

# Many bytes of one line are gone: the state is exact all the same.
spoil 20
run "$RALPH" repair --yes "$name"
exit_is 0 "it is repaired"
work_on --parallel 1
exit_is 0 "the run goes on to its end"
like "$err" "warning: $name: journal.jsonl: 1 of its lines were lost" "it is said that one line is missing"
is "$(starts)" 6 "and nothing is done twice"
is "$(field "$name" .completed)" 5 "all five count"
for id in pt-{1..5}; do ok "$id is on the branch" has HEAD "out/$id"; done
done_testing
