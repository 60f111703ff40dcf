#!/usr/bin/env bash
# W5: a query that cannot be asked is an error of its own, never "backlog empty" and never COMPLETE.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
for query in 'no-such-tk ready' 'exit 3' 'kill -9 0'; do
	config ticketQuery "$(jq -Rn --arg q "$query" '$q')"
	work_on
	exit_is 13 "ticketQuery: $query"
	is "$out" "" "no promise"
	unlike "$err" 'backlog... empty' "nothing is called empty"
done
config ticketQuery '"echo pt-1"'
config completionCheck '"no-such-tk ready | no-such-grep"'
work_on
exit_is 13 "completionCheck"
is "$out" "" "no promise"
is "$(starts)" 0 "nothing was started"

config completionCheck '"tk ready | grep -q ."'
config ticketQuery '"tk ready"'
chmod 000 .tickets
if [[ -r .tickets ]]; then
	chmod 755 .tickets
	mv .tickets ../elsewhere
fi
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
not_ok "tickets that cannot be read are no success" test "$status" -eq 0
is "$out" "" "and no promise"
done_testing
