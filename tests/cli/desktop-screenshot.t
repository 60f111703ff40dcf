#!/usr/bin/env bash
# ralph desktop screenshot saves what is on the screen, or in one window, pixel by pixel.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/desktop.sh"

desktop_needs
start_display
client 'Blue one' 3366CC 200x100+300+200
run "$RALPH" desktop screenshot all.png
exit_is 0 "the screen is saved"
is "$out" all.png "and its file named"
is "$(size all.png)" 1024x768 "as large as it is"
where=$("$RALPH" desktop windows --json | jq -r '.windows[0] | "\(.x) \(.y)"')
read -r x y <<<"$where"
is "$(pixel all.png "$x" "$y")" 3366CC "the window's first pixel has its colour"
is "$(pixel all.png $((x + 199)) $((y + 99)))" 3366CC "its last, too"
is "$(pixel all.png $((x + 200)) $((y + 300)))" 000000 "beside it is nothing"

client Orange FF8000 400x300+250+150
run "$RALPH" desktop screenshot --window Orange orange.png
exit_is 0 "a window is saved"
is "$(size orange.png) $(pixel orange.png 0 0) $(pixel orange.png 399 299)" "400x300 FF8000 FF8000" "its inside"
run "$RALPH" desktop screenshot --window Blue blue.png
exit_is 0 "so is one that was covered, by a part of its title"
is "$(size blue.png) $(pixel blue.png 0 0) $(pixel blue.png 199 99)" "200x100 3366CC 3366CC" "without what covered it"

run "$RALPH" desktop screenshot -
exit_is 0 "standard output does, too"
is "$(size "$T/out")" 1024x768 "and gets the picture alone"
run "$RALPH" desktop screenshot
like "$out" '^screenshot-[0-9]{8}T[0-9]{6}Z\.png$' "without a name it gets one"
ok "under which it is" test -s "$out"

# The words of desktop_shot, by which a loop has it taken (src/desktop/helper.c).
run "$(dirname "$RALPH")/ralph-desktop" screenshot --timeout 5001ms --project . -- "$PWD/T001_complete.png"
exit_is 0 "the helper itself does it for a loop"
is "$(size T001_complete.png)" 1024x768 "where the loop wants it"

echo old >kept.png
run "$RALPH" desktop screenshot --window Nobody kept.png
exit_is 1 "a window that is not there is an error"
like "$err" "no window has the title 'Nobody'" "that names it"
is "$(cat kept.png)" old "and a file that was there stays"
run "$RALPH" desktop screenshot nowhere/x.png
exit_is 1 "as is a directory that is not there"
like "$err" nowhere "which is named"
end_display
no_leftovers "nothing goes on"
done_testing
