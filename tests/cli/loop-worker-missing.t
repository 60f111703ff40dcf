#!/usr/bin/env bash
# A worker that is not there is said before anything is started.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
commit_tickets
run "$RALPH" loop -- ./no-such-worker '{ticket}'
exit_is 1 "a program that does not exist"
like "$err" 'no-such-worker' "is named"
run env PATH=/usr/bin:/bin "$RALPH" loop
exit_is 1 "without pi and without a command"
like "$err" 'pi' "it says what is missing"
is "$out" "" "nothing is promised"
is "$(status_of pt-1)" open "the ticket is as it was"

# pi is the worker when nothing else is asked for.
printf '#!/bin/sh\nprintf "%%s|" "$@" >"$T/argv"\n. "$T/pi.sh"\n' >"$T/bin/pi"
chmod +x "$T/bin/pi"
echo 'sed -i "s/^status: .*/status: closed/" ".tickets/$RALPH_TICKET.md"' >"$T/pi.sh"
run "$RALPH" loop
exit_is 1 "pi without prompts/tf.md"
like "$err" '^ralph: error: prompts/tf\.md is not there' "says that it is missing, before anything is started"
not_ok "pi was not run" test -e "$T/argv"
is "$(status_of pt-1)" open "the ticket is as it was, still"
run "$RALPH" loop --dry-run
exit_is 0 "a plan needs none"
mkdir -p prompts && echo 'the workflow' >prompts/tf.md
git add prompts && git commit -qm prompts
run "$RALPH" loop
exit_is 0 "pi does it"
is "$(cat "$T/argv")" "-p|/tf pt-1 --auto|" "with the documented prompt"

# What pi has elsewhere will do.
ticket pt-2
git rm -rq prompts && commit_tickets
mkdir -p "$HOME/.pi/agent/prompts" && echo 'the workflow' >"$HOME/.pi/agent/prompts/tf.md"
run "$RALPH" loop
exit_is 0 "pi has it in its own directory"
done_testing
