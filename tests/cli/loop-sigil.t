#!/usr/bin/env bash
# <promise>COMPLETE</promise> and "Status: COMPLETE" are believed by whoever waits for them: they
# come with exit code 0 only, unless the project wants them as the original has them.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
does pt-1 exit 1
work_on
exit_is 11 "a ticket failed"
is "$out" "" "there is no promise"
like "$err" $'\n## Loop Incomplete\n' "the summary says why"
ok "so does progress.md" progress_says '^- Status: INCOMPLETE$'
not_ok "which is not complete" progress_says '^- Status: COMPLETE$'
run "$RALPH" loop status
like "$out" 'Status: INCOMPLETE' "nor does loop status say so"

does pt-1 'work; close_ticket; commit'
work_on
exit_is 0 "all is done"
is "$out" "$sigil" "now the promise is said"
run "$RALPH" loop status
like "$out" 'Status: COMPLETE' "and loop status agrees"

ticket pt-3
ticket pt-4
config promiseOnComplete '"always"'
work_on --max 1
exit_is 10 "always: the exit code is as true as ever"
is "$out" "$sigil" "always: the promise is the original's"
run "$RALPH" loop status
like "$out" 'Status: COMPLETE' "always: and so is the status"
config promiseOnComplete '"sometimes"'
work_on
exit_is 1 "another word is refused"
like "$err" 'promiseOnComplete.*one of false, true, always' "which is said"
done_testing
