#!/usr/bin/env bash
# ralph desktop windows lists the windows; focus brings one to the front; a title that could mean
# several means none.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display

active() {
	"$RALPH" desktop windows --json | jq -r '.windows[] | select(.active) | .title'
}
active_is() {
	[[ $(active) == "$1" ]]
}
id_of() {
	"$RALPH" desktop windows --json | jq -r --arg t "$1" '[.windows[] | select(.title == $t) | .id][0]'
}

run "$RALPH" desktop windows
exit_is 0 "no window is no error"
is "$out" "" "and no line"
client 'Editor' 112233 200x100+100+100
client 'Editor - ünïcode ☃' 445566 300x150+400+300
wait_for 20 active_is 'Editor - ünïcode ☃'
run "$RALPH" desktop windows
is "$(wc -l <<<"$out")" 2 "a line for each window"
like "$out" "0x[0-9a-f]+ +- +200x100\+[0-9]+\+[0-9]+ +Editor"$'\n' "with id, place and title"
like "$out" "active +0x[0-9a-f]+ .* Editor - ünïcode ☃\$" "the active one is marked"
run "$RALPH" desktop windows --json
is "$(jq -c '[.ok, (.windows | map([.title, .width, .height, .pid, .active]))]' <<<"$out")" \
	'[true,[["Editor",200,100,null,false],["Editor - ünïcode ☃",300,150,null,true]]]' "as JSON"
dialog --info --title Hello --text Hi
hello=$bg
wait_for 30 there Hello
is "$("$RALPH" desktop windows --json | jq '.windows[] | select(.title == "Hello") | .pid')" "$hello" "with the process"

run "$RALPH" desktop focus Editor
exit_is 0 "a whole title is meant before a part of one"
is "$(active)" Editor "and the window is active when we are told so"
run "$RALPH" desktop focus ☃
exit_is 0 "a part that one window has"
is "$(active)" 'Editor - ünïcode ☃' "means that one"
run "$RALPH" desktop focus Edit
exit_is 1 "a part that two have is a question"
like "$err" "'Edit' could mean 2 windows: 0x[0-9a-f]+ 'Editor', 0x[0-9a-f]+ 'Editor - .*give a whole title, or an id" \
	"with both of them"
is "$(active)" 'Editor - ünïcode ☃' "and nothing is done"
run "$RALPH" desktop focus "$(id_of Editor)"
exit_is 0 "an id is as good"
is "$(active)" Editor "as a title"
client 'Twin' 778899 100x100+10+10
client 'Twin' 99AABB 100x100+10+150
run "$RALPH" desktop focus Twin
exit_is 1 "two windows of one title are a question, too"
run "$RALPH" desktop focus "$(id_of Twin)"
exit_is 0 "that an id answers"
run "$RALPH" desktop focus 0x1
exit_is 1 "an id of nobody is none"
end_display

start_display bare
client 'Alone' 3366CC 200x100+300+200
run "$RALPH" desktop windows --json
is "$(jq -c '.windows | map([.title, .x, .y, .width, .height])' <<<"$out")" '[["Alone",300,200,200,100]]' \
	"without a window manager they are found, too"
run "$RALPH" desktop focus Alone
exit_is 0 "and made active"
is "$(active)" Alone "as far as that goes"
end_display
no_leftovers "nothing goes on"
done_testing
