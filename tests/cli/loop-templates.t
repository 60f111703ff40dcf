#!/usr/bin/env bash
# The worker's arguments are filled in, its input is the ticket, its environment says the rest; no shell.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"
plan 9

new_project
ticket pt-1 'title=Say "$(touch hacked)"; `x` & {attempt}'
commit_tickets
cp .tickets/pt-1.md "$T/ticket"
cat >"$T/show" <<'SCRIPT'
#!/bin/bash
printf '%s\n' "$@" >"$T/argv"
cat >"$T/stdin"
pwd >"$T/pwd"
env | grep '^RALPH_' | sort >"$T/env"
sed -i 's/^status: .*/status: closed/' .tickets/pt-1.md
SCRIPT
chmod +x "$T/show"
run "$RALPH" loop -- "$T/show" '{ticket}' 'a {title} b' '{worktree}' '{attempt}' '{ticket}-{attempt}' '{unknown}' '{file}'
exit_is 0 "it is done"
tree=$project/.tf/ralph/worktrees/pt-1
is "$(sed 6q "$T/argv")" 'pt-1
a Say "$(touch hacked)"; `x` & {attempt} b
'"$tree"'
1
pt-1-1
{unknown}' "placeholders are filled in, once, and nothing else is touched"
like "$(sed -n 7p "$T/argv")" '/\.tickets/pt-1\.md$' "{file} is the ticket's file"
is "$(head -c "$(wc -c <"$T/ticket")" "$T/stdin")" "$(cat "$T/ticket")" "the ticket is the prompt"
is "$(cat "$T/pwd")" "$tree" "the worker is in its worktree"
like "$(cat "$T/env")" 'RALPH_ATTEMPT=1' "RALPH_ATTEMPT"
like "$(cat "$T/env")" "RALPH_TICKET=pt-1"$'\n' "RALPH_TICKET"
like "$(cat "$T/env")" "RALPH_WORKTREE=$tree" "RALPH_WORKTREE"
is "$(find "$project" -name hacked)" "" "a title is no command"
