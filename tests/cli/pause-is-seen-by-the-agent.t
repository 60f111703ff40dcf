#!/usr/bin/env bash
# A pause is written to the worker's channel, where an agent or its hooks can see it.
# shellcheck disable=SC2016 # variables are for the agent's own shell
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
mkfifo go
run_bg "${loop[@]}" agent --max-iterations 3 -- sh -c 'echo "$RALPH_WORKER" >channel; read x <go'
wait_for 20 test -s channel
ok "the agent knows its channel" test -S "$(<channel)"
notice=$(dirname "$(<channel)")/notice.json
run "$RALPH" pause agent
wait_for 20 test -e "$notice"
is "$(jq -c . "$notice")" '{"pause":true}' "a pause is beside it"
run "$RALPH" resume agent
wait_for 20 grep -q false "$notice"
is "$(jq -c . "$notice")" '{"pause":false}' "and when it is over, that"
run "$RALPH" stop agent
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
