#!/usr/bin/env bash
# The documented keys of config.json that no option stands for: where agents work, what they are told, and the pause
# between tickets.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

new_project
config useWorktrees false
ticket pt-1
# shellcheck disable=SC2016 # for the worker
does pt-1 'note "in $PWD"; work; close_ticket'
work_on
exit_is 0 "useWorktrees: false"
ok "the agent works in the project" said "$T/log" "^in $project$"
not_ok "there is no worktree" test -e .tf/ralph/worktrees/pt-1
config useWorktrees true
ticket pt-2
# shellcheck disable=SC2016 # for the worker
does pt-2 'note "in $PWD"; work; close_ticket'
work_on
ok "useWorktrees: true: it has one" said "$T/log" "^in $project/.tf/ralph/worktrees/pt-2$"

# shellcheck disable=SC2016 # for pi
printf '#!/bin/sh\nprintf "%%s|" "$@" >"$T/argv"\nsed -i "s/^status: .*/status: closed/" ".tickets/$RALPH_TICKET.md"\n' >"$T/bin/pi"
chmod +x "$T/bin/pi"
ticket pt-3
commit_tickets
config workflow '"/mine"'
config workflowFlags '"--fast --quiet"'
run "$RALPH" loop
exit_is 0 "workflow and workflowFlags"
is "$(cat "$T/argv")" "-p|/mine pt-3 --fast --quiet|" "are what the agent is told"

ticket pt-4
ticket pt-5
config sleepBetweenTickets 1500
work_on --json
# "2026-01-01T00:00:00.123Z" in milliseconds.
at() {
	jq -r "select(.event == \"$1\" and .task == \"$2\") | .time" <<<"$out" | head -n 1 |
		jq -R 'capture("(?<s>.*)\\.(?<ms>[0-9]{3})[0-9]*Z") | ((.s + "Z") | fromdate) * 1000 + (.ms | tonumber)'
}
pause=$(($(at started pt-5) - $(at landed pt-4)))
ok "sleepBetweenTickets: a pause of $pause ms before the next ticket" test "$pause" -ge 1500
done_testing
