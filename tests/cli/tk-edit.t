#!/usr/bin/env bash
# A ticket is opened in the user's editor; where there is no terminal, its file is named.
# shellcheck disable=SC2016 # for the editor
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-l4ur open
tk edit l4ur
exit_is 0 "without a terminal"
is "$out" "Edit ticket file: $T/work/.tickets/mp-l4ur.md" "the file is named"
tk edit nope
exit_is 1 "a ticket that is not there"
is "$err" "Error: ticket 'nope' not found" "is said"
mkdir sub
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"$T/edited"\n' >editor
chmod +x editor
tmux -f /dev/null new-session -d -c "$T/work/sub" "$(printf '%q ' env EDITOR="$T/work/editor -w" "$RALPH" tk edit l4ur)"
wait_for 20 test -s "$T/edited"
is "$(xargs <"$T/edited")" "-w $T/work/.tickets/mp-l4ur.md" "on a terminal the editor gets it, with its own arguments"
tmux kill-server 2>/dev/null
done_testing
