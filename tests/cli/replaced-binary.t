#!/usr/bin/env bash
# A loop goes on while its program is replaced, and so do those who look at it.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/installed.sh"

echo 'do it' >prompt
go='count starts.%s; touch at.%s; wait-file go.%s; sh rm go.%s'
started() { said "starts.$1" "" "$2"; }
for how in gone new over broken; do
	for mode in pipe pty; do
		replace new
		n=$how-$mode
		run_bg "${loop[@]}" "$n" --$mode --prompt-via arg --max-iterations 3 -- "$AGENT" -e "${go//%s/$n}"
		wait_for 30 started "$n" 1
		replace "$how"
		for i in 2 3; do
			touch "go.$n"
			wait_for 30 started "$n" "$i"
		done
		touch "go.$n"
		end_bg 30 "$bg"
		exit_is 0 "$how, $mode: the loop goes on"
		is "$(grep -c 'completed (exit: 0' <<<"$out")" 3 "$how, $mode: with every iteration"
	done
done

# The new program knows the agents of the old one.
replace new
run_bg "${loop[@]}" taken --pty --prompt-via arg --max-iterations 2 -- "$AGENT" -e "println HELLO; ${go//%s/taken}"
wait_for 30 started taken 1
replace over
tmux -f /dev/null new-session -d -s look -x 100 -y 30 "'$RALPH' attach taken"
shown() { tmux capture-pane -p -t look | grep -q HELLO; }
wait_for 30 shown && pass "its attach shows an agent of the old one"
tmux kill-server
crash "$bg"
run_bg "$RALPH" resume --foreground taken
touch go.taken
wait_for 30 started taken 2
touch go.taken
end_bg 30 "$bg"
exit_is 0 "its supervisor adopts one"
like "$out" 'iteration 1 completed \(exit: 0' "and sees it end"
no_leftovers "nothing goes on"
done_testing
