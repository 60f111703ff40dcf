#!/usr/bin/env bash
# All tickets are listed with their dependencies.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

ticket mp-b open 'deps: [mp-a, mp-c]'
ticket mp-a closed
ticket mp-c in_progress 'assignee: demo'
tk ls
exit_is 0 "it succeeds"
is "$out" 'mp-a     [closed] - The mp-a
mp-b     [open] - The mp-b <- [mp-a, mp-c]
mp-c     [in_progress] - The mp-c' "as tk prints them"
tk ls --status=in_progress
is "$out" 'mp-c     [in_progress] - The mp-c' "by status"
tk ls --json -a demo
is "$(jq -c 'map(.id)' <<<"$out")" '["mp-c"]' "as JSON"
tk list --status=
is "$out" "$("$RALPH" tk ls)" "list is another word for it, and an empty filter is none"
tk lss
exit_is 1 "a mistyped command is an error"
is "$err" "ralph: error: unknown command 'tk lss'; did you mean 'tk ls'?" "which is explained"
done_testing
