#!/usr/bin/env bash
# With a display, ralph todo keeps a picture of what a task was completed with, and one for a
# worker that needs to see the UI; without one it works all the same, and says so in state.json.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
PATH=$(dirname "$RALPH"):$PATH
shots=ai/ralph/screenshots

# It asks about the second task before it does it; what it is told then goes to the file `told`.
cat >worker <<'WORKER'
#!/usr/bin/env bash
id= turn=
finish() {
	echo "$id" >"$id.txt"
	ralph done --turn "$turn" --summary "make $id.txt" --file "$id.txt"
}
printf 'ready\n> '
while IFS= read -r line; do
	case $line in
	/clear) printf '\033[2J\033[H> ' ;;
	'**Task ID:** '*) id=${line##* } ;;
	'1. Run `ralph done --turn '*) turn=${line#*--turn } turn=${turn%%\`*} ;;
	'## Working Directory')
		read -r # the last line: the Enter behind it makes the task ours
		if [[ $id == T002 ]]; then
			ralph stuck --turn "$turn" 'What does the dialog on the screen say?'
		else
			finish
		fi
		;;
	'# Ralph: help with '*)
		while IFS= read -r line && [[ $line != "Continue with"* ]]; do echo "$line" >>told; done
		# A picture stands behind that.
		while IFS= read -r -t 1 line; do echo "$line" >>told; done
		finish
		;;
	esac
done
WORKER
chmod +x worker
project() {
	rm -rf .git ai T0??.txt told
	git init -q
	mkdir ai
	printf '## Claude Tasks\n- [ ] T001: one\n- [ ] T002: two\n' >ai/todo.md
	git add worker
	git commit -qm begin
}

capability() {
	jq -c '.capabilities.desktop_automation' ai/ralph/state.json
}

# ---- without a display

project
run "$RALPH" todo --desktop --name blind -- ./worker
exit_is 0 "without a display the tasks are done"
like "$out" 'All tasks complete!' "all of them"
like "$err" 'warning: no screenshots: there is no display' "that there are no pictures is said"
is "$(capability)" false "and is the truth in state.json"
not_ok "no picture was tried" test -e "$shots"
unlike "$(cat told)" 'screen as it is now' "and none is spoken of"
is "$(git log --format=%s)" "T002: make T002.txt
T001: make T001.txt
begin" "with a commit each"

# A former run's state asks for it as well, and gets the truth.
project
mkdir ai/ralph
echo '{"capabilities": {"desktop_automation": true}, "mine": 1}' >ai/ralph/state.json
run "$RALPH" todo --name blind2 -- ./worker
exit_is 0 "nor does a capability of a former run matter"
is "$(capability) $(jq .mine ai/ralph/state.json)" "false 1" "it is false now"
is "$(jq -cS .capabilities ai/ralph/state.json)" \
	'{"desktop_automation":false,"desktop_requested":true,"pty_control":true}' "but the wish is kept"
like "$err" 'warning: no screenshots: there is no display' "and said"

# ---- with one

start_display
client 'Blue one' 3366CC 200x100+300+200
printf '## Claude Tasks\n- [ ] T009: nine\n' >ai/todo.md
run "$RALPH" todo --name again -- ./worker
exit_is 0 "when there is a display again"
is "$(jq -c .capabilities ai/ralph/state.json)" '{"desktop_automation":true,"pty_control":true}' "the wish comes true"
ok "with a picture" test -s "$shots/T009_complete.png"
jq '.capabilities.desktop_automation = false' ai/ralph/state.json >state && mv state ai/ralph/state.json
printf '## Claude Tasks\n- [ ] T010: ten\n' >ai/todo.md
run "$RALPH" todo --name again -- ./worker
is "$status $(capability)" "0 false" "and who takes it back has it so"
not_ok "without a picture" test -e "$shots/T010_complete.png"

project
run "$RALPH" todo --name unasked -- ./worker
is "$status $(capability)" "0 false" "where nobody asked for pictures there are none"
not_ok "not even a directory" test -e "$shots"

project
run "$RALPH" todo --desktop --name seeing -- ./worker
exit_is 0 "with a display the tasks are done, too"
is "$err" "" "without a complaint"
is "$(capability)" true "state.json knows that it can see"
is "$(size $shots/T001_complete.png) $(size $shots/T002_complete.png)" "1024x768 1024x768" "each task has its picture"
read -r x y < <("$RALPH" desktop windows --json | jq -r '.windows[0] | "\(.x) \(.y)"')
is "$(pixel $shots/T001_complete.png "$x" "$y")" 3366CC "of what was to be seen"
shown=$(sed -n 's/^The screen as it is now.*: //p' told)
like "$shown" "^$PWD/$shots/intervention_[0-9]{8}T[0-9]{6}Z\.png$" "the worker that asked was told of one"
is "$(size "$shown")" 1024x768 "that is there"
ok "activity.md names it" grep -q "^\*\*Context:\*\* .*$shown" ai/ralph/activity.md
is "$(git status --porcelain)" "?? ai/" "none of it is committed"
is "$(grep -c '\[screenshot\].*-> success' "$log")" 3 "and the log has all of them"

# The state file alone is enough the next time.
printf '## Claude Tasks\n- [ ] T003: three\n' >ai/todo.md
run "$RALPH" todo --name seeing2 -- ./worker
exit_is 0 "a later run sees, too"
ok "as its picture shows" test -s "$shots/T003_complete.png"

# A display that went away in between costs a picture, nothing else.
printf '## Claude Tasks\n- [ ] T004: four\n' >ai/todo.md
cat >closing <<'CLOSING'
#!/bin/sh
kill "$1"
while kill -0 "$1" 2>/dev/null; do sleep 0.02; done
CLOSING
chmod +x closing
# shellcheck disable=SC2154 # desktop.sh
run "$RALPH" todo --desktop --name losing --verify "./closing $display_x" -- ./worker
exit_is 0 "without the display that was there the task is done"
like "$err" 'warning: losing: T004: no screenshot: ' "but it is said"
unlike "$err" 'ralph-desktop|error: ' "in words for people, and once"
is "$(jq -cS .capabilities ai/ralph/state.json)" \
	'{"desktop_automation":false,"desktop_requested":true,"pty_control":true}' "state.json knows that nothing is seen any more"
is "$(git log --grep 'Task: T004' --format=%s)" "T004: make T004.txt" "and committed"
end_display
no_leftovers "nothing goes on"
done_testing
