#!/usr/bin/env bash
# What `ralph ls`, `status` and `wait` say of a loop that is over is the same word for every kind of loop, each
# end has a word of its own beside its reason, and `status` has its last words with the exit code.
. "$(dirname "$0")/tickets.sh"

# agree NAME WORD REASON CODE OUTCOME
agree() {
	local name=$1 word=$2 reason=$3 code=$4
	run "$RALPH" wait "$name"
	is "$status $out" "$code $name: $word ($reason)" "$name: wait"
	run "$RALPH" ls
	is "$(awk -v n="$name" '$1 == n { print $2, $4 }' <<<"$out")" "$word $reason" "$name: ls"
	is "$(field "$name" '[.outcome, .exit_reason, .exit_code] | join(" ")')" "$word $reason $code" "$name: status --json"
	run "$RALPH" status "$name"
	is "$(grep -E '^(Status|Outcome):' <<<"$out")" "Status: $word${5:+
Outcome: $5 (exit code $code)}" "$name: status"
}

echo 'do it' >prompt
run "${loop[@]}" fine --max-iterations 1 -- true
agree fine complete max_iterations 0 "1 iteration done"
run "${loop[@]}" never --max-iterations 1 --done-pattern 'all is done' -- echo nope
agree never incomplete not_done 10 "1 iteration used, and the done pattern never matched"
run "${loop[@]}" matched --max-iterations 2 --done-pattern 'all is done' -- echo 'all is done'
agree matched complete done_pattern 0 "loop complete after 1 iteration"
run "${loop[@]}" bad --max-iterations 2 -- "$AGENT" -e 'when-iteration 1 exit 1'
agree bad failed some_failed 11 "1 of 2 iterations failed"
"${loop[@]}" halt --detach --max-iterations 1 -- "$AGENT" -e 'touch here; hang' >halt.out
wait_for 20 test -e here
is "$(field halt .outcome)" null "a loop that runs has no outcome"
"$RALPH" stop halt >stopped
agree halt stopped stopped 3 ""

new_project
ticket pt-1
work_on --name tickets
agree tickets complete no_work 0 "All tickets are done."
ticket pt-2
ticket pt-3
work_on --name tickets --max 1
agree tickets incomplete max_tickets 10 "As many tickets as allowed were started; there are more."
does pt-3 exit 1
work_on --name tickets
agree tickets failed some_failed 11 "Some tickets failed; what they left is kept."
rm .tickets/pt-3.md
ticket pt-6 deps=pt-7
ticket pt-7 deps=pt-6
work_on --name tickets
agree tickets blocked blocked 12 "Only tickets are left that wait for something that does not come."

mkdir "$T/todo" && cd "$T/todo" || exit 1
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
worker <<'END'
case $TASK.$KIND in
T001.task) ralph done --summary one ;;
T002.task) ralph blocked 'no key' ;;
esac
END
todo
agree "$name" failed some_failed 11 "What can be done is done; not all tasks are complete."
no_leftovers "nothing goes on"
done_testing
