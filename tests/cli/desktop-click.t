#!/usr/bin/env bash
# ralph desktop click presses the mouse at a place, or a real dialog's button by its name.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display
client Target 3366CC 200x100+300+200
target=$T/bg.$bg.out
read -r x y < <("$RALPH" desktop windows --json | jq -r '.windows[0] | "\(.x) \(.y)"')

run "$RALPH" desktop click $((x + 7)) $((y + 9))
exit_is 0 "a place of the screen is clicked"
wait_for 60 said "$target" '^button 1 7 9$'
run "$RALPH" desktop click --window Target --button right 20 30
exit_is 0 "a place of a window"
wait_for 60 said "$target" '^button 3 20 30$'
pass "with the button that was asked for"
run "$RALPH" desktop click --window Target --double 40 50
wait_for 60 said "$target" '^button 1 40 50$' 2
pass "and twice"
client Above FF8000 400x300+250+150
run "$RALPH" desktop click --window Target 60 70
exit_is 0 "a window that is covered comes to the front"
wait_for 60 said "$target" '^button 1 60 70$'
run_bg "$desktop_client" cover 00FF00 1024x768+0+0
cover=$bg
wait_for 60 said "$T/bg.$cover.out" '^shown'
run "$RALPH" desktop click --window Target 80 90
exit_is 1 "one that stays covered is not clicked"
like "$err" "something else covers the window 'Target'" "and the reason said"
is "$(grep -c button "$T/bg.$cover.out")" 0 "nor is what covers it"
crash "$cover"
run "$RALPH" desktop click --window Target 200 5
exit_is 1 "a place outside of the window is none"
run "$RALPH" desktop click 5000 5
exit_is 1 "as is one outside of the screen"
run "$RALPH" desktop click 5
exit_is 2 "half a place is wrong usage"
run "$RALPH" desktop click 5 -- -7
exit_is 2 "as is one before the screen"
run "$RALPH" desktop click --element OK 1 2
exit_is 2 "and a place together with a name"

# offered NAME: a dialog offers a button that can be looked for; nothing is clicked.
offered() {
	"$RALPH" desktop click --project "$T" --element "$1" --role 'no such role' 2>&1 | grep -q 'and the role' &&
		there "$2"
}
dialog --question --title Really --text 'Do it?' --ok-label 'Yes please' --cancel-label 'No thanks'
wait_for 60 offered 'Yes please' Really
run "$RALPH" desktop click --element 'Yes please'
exit_is 0 "a button is clicked by its name"
end_bg 20 "$bg"
is "$status" 0 "and the dialog says yes"
dialog --question --title Really --text 'Do it?' --ok-label 'Yes please' --cancel-label 'No thanks'
wait_for 60 offered thanks Really
run "$RALPH" desktop click --element thanks --role 'push button' --window Really
exit_is 0 "by a part of it, its role and its window"
end_bg 20 "$bg"
is "$status" 1 "and the dialog says no"

dialog --question --title First --text 'One?' --ok-label Go --cancel-label 'Go away'
first=$bg
wait_for 60 offered Go First
dialog --question --title Second --text 'Two?' --ok-label Go --cancel-label 'Stay'
second=$bg
wait_for 60 offered Stay Second
run "$RALPH" desktop click --element Go
exit_is 1 "a name that two have is a question"
like "$err" "'Go' could mean 2 elements: 'Go' \(push button in '(First|Second)'\), 'Go' \(push button in '(First|Second)'\); say more" \
	"with both of them"
run "$RALPH" desktop click --element Nothing
exit_is 1 "a name that nobody has is an error"
like "$err" "no element that is shown has the name 'Nothing'" "that says so"
run "$RALPH" desktop click --element Go --role label
exit_is 1 "as is a role that it does not have"
run "$RALPH" desktop click --element Go --window Second
exit_is 0 "the window makes it clear"
end_bg 20 "$second"
is "$status" 0 "and the right one is clicked"
ok "and no other" kill -0 "$first"
run "$RALPH" desktop click --element 'Go away' --window First --double
exit_is 0 "twice is the mouse's, in the middle of the button"
end_bg 20 "$first"
is "$status" 1 "which the dialog feels"
end_display
no_leftovers "nothing goes on"
done_testing
