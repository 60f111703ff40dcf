#!/usr/bin/env bash
# --json: events on stdout, one object a line; --quiet: no lines but the end.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
does pt-2 exit 1
work_on --json
exit_is 11 "with --json"
ok "every line is an object" jq -e 'type == "object"' <<<"$out"
like "$out" '"pt-1"' "tickets are named"
unlike "$out" '<promise>' "the promise does not stand between them"
ticket pt-3
rm .tickets/pt-2.md
work_on --quiet
exit_is 0 "with --quiet"
is "$out" "$sigil" "the promise is said"
unlike "$err" 'Launching' "what happens meanwhile is not"
done_testing
