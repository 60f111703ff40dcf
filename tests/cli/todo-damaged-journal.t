#!/usr/bin/env bash
# A journal with a wrong bit before its snapshot: what ralph todo wrote for people is not written again
# from what is left of it.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T003.task) if once last; then : >"$LED/at.last"; sleep 60; else echo 3 >three; ralph done; fi ;;
*.task) echo "$TASK" >"$TASK.txt"; ralph done ;;
esac
END
todo_bg --grace 1s
wait_for 60 test -e "$led/at.last"
kill -TERM "$bg"
end_bg 30 "$bg"
dir=$(echo "$RALPH_HOME"/loops/*)
name=${dir##*/}
cp "$dir/journal.jsonl" "$T/whole"
line=$(grep -n '"landed"\|"ended"' "$T/whole" | head -n 1 | cut -d: -f1)
printf '?' | dd of="$dir/journal.jsonl" bs=1 seek=$(($(head -n "$line" "$T/whole" | wc -c) - 60)) conv=notrunc status=none

views() {
	find ai -type f ! -name '*.lock' -exec sha256sum {} + | sort
}

before=$(views)
todo
exit_is 1 "the run does not go on"
like "$err" "error: journal.jsonl is damaged in line $line .*ralph repair $name" "and says where it is damaged, and what helps"
is "$(views)" "$before" "every view is as it was"
cp "$T/whole" "$dir/journal.jsonl"
perl -e 'open(my $f, "+<", $ARGV[0]) or die; seek($f, $ARGV[1], 0); read($f, my $c, 1); seek($f, $ARGV[1], 0); print $f chr(ord($c) ^ 4)' \
	"$dir/journal.jsonl" $(($(head -n "$line" "$T/whole" | wc -c) - 60))
run "$RALPH" repair --yes "$name"
exit_is 0 "one wrong bit is put right"
todo
exit_is 0 "the run goes on to its end"
is "$(marks | xargs)" "x T001 x T002 x T003" "every box is ticked"
is "$(jq -c .tasks_completed ai/ralph/state.json)" '["T001","T002","T003"]' "and every task is told"
no_leftovers "nothing goes on"
done_testing
