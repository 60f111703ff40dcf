#!/usr/bin/env bash
# Attempts per ticket and per cause; the next attempt is told why the last one failed.
. "$(dirname "$0")/tickets.sh"

new_project
config maxIterationsPerTicket 2
config retryOn '["exit"]'
ticket pt-1
ticket pt-2
does pt-1 <<'SCRIPT'
env | grep '^RALPH_LAST_FAILURE' >>"$T/why"
work; exit 5
SCRIPT
does pt-2 work
work_on
exit_is 11 "both failed"
is "$(starts pt-1)" 2 "an exit status gets another attempt"
is "$(starts pt-2)" 1 "not-closed does not, when retryOn does not name it"
like "$(cat "$T/why")" '^RALPH_LAST_FAILURE=.*5' "the second attempt is told why"
is "$(wc -l <"$T/why")" 1 "the first has nothing to be told"
is "$(git for-each-ref --format='%(refname)' refs/ralph/failed | xargs)" \
	"refs/ralph/failed/pt-1/1 refs/ralph/failed/pt-1/2 refs/ralph/failed/pt-2/1" "every attempt's work is kept"
is "$(summary Iterations)" 2 "retries are no iterations"
is "$(summary Failed)" "2 (pt-1 pt-2)" "and no failures of their own"

ticket pt-3
does pt-3 <<'SCRIPT'
[[ $RALPH_ATTEMPT -gt 1 ]] || exit 1
work; close_ticket; commit
SCRIPT
rm .tickets/pt-[12].md && git commit -qam "without them"
work_on --max 1
exit_is 0 "a limit of one ticket allows it all its attempts"
ok "of which the second landed" has main out/pt-3
done_testing
