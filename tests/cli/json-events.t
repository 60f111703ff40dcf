#!/usr/bin/env bash
# --json prints every event as one JSON object a line.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --json --max-iterations 3 --done-pattern ready -- \
	"$AGENT" -e 'when-iteration 1 exit 1; println ready'
exit_is 0 "the loop goes through"
is "$(jq -r .event <<<"$out" | xargs)" \
	"opened supervised started running ended backoff started running signalled ending wanted ended finished" \
	"the events come in order"
is "$(jq -r .loop <<<"$out" | sort -u)" demo "each names its loop"
is "$(wc -l <<<"$out")" "$(jq -c . <<<"$out" | wc -l)" "each on a line of its own"
is "$(jq -c 'select(.event == "ended") | [.iteration, .verdict, .exit]' <<<"$out")" \
	'[1,"failed",1]
[2,"done",0]' "with what happened"
like "$(jq -r .time <<<"$out" | head -n 1)" '^[0-9]{4}-[0-9]{2}-[0-9]{2}T' "and when"
no_leftovers "nothing goes on"
done_testing
