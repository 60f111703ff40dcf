#!/usr/bin/env bash
# "All tickets are done" is said when they are, not when nothing could be understood.
. "$(dirname "$0")/loop-review.sh"

unlike_complete() {
	unlike "$out" COMPLETE "$1: COMPLETE is not said"
}

project "$T/work/long"
id=$(printf 'n%.0s' {1..150})
ticket "$id" && commit
looped --new-run -- "$worker"
exit_is 12 "an id that is too long"
like "$err" 'id is too long' "is said to be"
is "$(status_of "$id")" open "and left alone"

project "$T/work/garbage"
ticket a && commit
config '{"ticketQuery":"echo \"[{}]\"; seq 100"}'
looped --new-run -- "$worker"
exit_is 13 "a query that prints no ids"
unlike_complete "a query that prints no ids"
is "$(grep -c 'which is no ticket here' <<<"$err")" 5 "is told of, but not for ever"

config '{"ticketQuery":"no-such-tk ready | head -1 | awk \"{print}\""}'
looped --new-run -- "$worker"
exit_is 13 "a pipeline whose first command is missing"
unlike_complete "a pipeline whose first command is missing"
like "$err" 'no-such-tk: *not found' "says what it said"
config '{"completionCheck":"no-such-tk ready | grep -q ."}'
looped --new-run -- "$worker"
exit_is 13 "the same for the check"
unlike_complete "the same for the check"

project "$T/work/head"
for id in a b; do ticket "$id"; done
commit
# shellcheck disable=SC2016 # the shell that the query runs in expands it
config '{"ticketQuery":"sed -n \"s/^id: //p\" $(grep -l \"^status: open\" .tickets/*) | head -1"}'
cat >"$T/first-fails" <<SCRIPT
[ "\$RALPH_TICKET" != a ] || exit 1
. "$worker"
SCRIPT
looped -- sh "$T/first-fails"
exit_is 11 "a ticket that failed and stays first"
ok "does not keep the next from being worked on" git cat-file -e main:out-b
done_testing
