#!/usr/bin/env bash
# One supervisor per loop, whoever tries; loops of other names run beside it.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'count starts; wait-file go'
first=$bg
wait_for 20 test -s starts
run "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'count starts'
exit_is 1 "a second loop of that name is refused"
is "$err" "ralph: error: loop 'agent' is already running (pid $first); choose another --name, or see: ralph status agent" \
	"it says who has it and what to do"
run "$RALPH" resume --foreground agent
is "$err" "ralph: warning: worker 'agent' is not paused" "resume makes no second one either"
run "${loop[@]}" other --max-iterations 1 -- "$AGENT" -e 'println x'
exit_is 0 "another name is fine"
touch go
end_bg 20 "$first"
exit_is 0 "the first was not disturbed"
is "$(wc -l <starts)" 1 "and had the only agent"

# Many at the same time: one wins.
rm starts go
tries=()
for _ in 1 2 3 4 5 6; do
	run_bg "${loop[@]}" race --max-iterations 1 -- "$AGENT" -e 'count starts; wait-file go'
	tries+=("$bg")
done
finished() {
	local pid left=0
	for pid in "${tries[@]}"; do lib_gone "$pid" || left=$((left + 1)); done
	((left == 1))
}
wait_for 30 finished
touch go
codes=
for pid in "${tries[@]}"; do
	end_bg 20 "$pid"
	codes+="$status "
done
is "$(xargs -n 1 <<<"$codes" | sort | xargs)" "0 1 1 1 1 1" "of six at once, one runs"
is "$(wc -l <starts)" 1 "and starts one agent"
no_leftovers "nothing goes on"
done_testing
