#!/usr/bin/env bash
# A merge that only waits for the branch is no success: it is named wherever one looks, and later tickets that
# do not touch what is in the way land.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
ticket pt-3 deps=pt-1
does pt-1 'echo by pt-1 >>file; close_ticket; commit'
does pt-3 'echo on top of pt-1 >third; close_ticket; commit'
commit_tickets
echo "the user's" >>file
# shellcheck disable=SC2016 # for the shell that runs it
run "$RALPH" loop --on-alert 'cat >>"$T/alerts"' -- "$T/worker" '{ticket}' '{file}'
exit_is 14 "all is done, and not all of it is on the branch: that has an exit code of its own"
is "$(summary Completed)" "3 (pt-1 pt-2 pt-3)" "all are done"
ok "one that does not touch the file is on the branch" has main out/pt-2
ok "and in the checkout" test -e out/pt-2
is "$(git log -1 --format='%(trailers:key=Ralph-Ticket,valueonly,separator=%x20)' main)" pt-2 "as a merge of its own"
not_ok "one that needs what waits waits as well" has main third
is "$(git show main:file)" one "the one that is in the way does too"
is "$(tail -n 1 file)" "the user's" "the user's change is as it was"
names='2 merges wait in refs/ralph/land/main \(pt-1, pt-3\)'
unlike "$out" 'COMPLETE' "nothing is promised"
like "$out" "$names" "the summary names them on stdout"
like "$err" "$names: Your local changes to .* file" "and why"
like "$err" 'ALERT.*not on its branch yet' "an alert is raised"
ok "the user's command gets it" grep -qE "$names" "$T/alerts"
ok "progress.md names them" progress_says "^- Not on the branch yet: $names"
run "$RALPH" loop status
like "$out" "Not on its branch yet: $names" "so does the status"
is "$("$RALPH" loop status --json | jq -r '.waiting | length')" 1 "as JSON, too"

git checkout -q file
run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "when nothing is in the way, the next run is complete"
is "$(cat file third)" $'one\nby pt-1\non top of pt-1' "all of it is there"
is "$(starts)" 3 "nothing was done twice"
unlike "$(sed -n '/## Current State/,/## Stat/p' .tf/ralph/progress.md)" 'Not on the branch' "progress.md says so"
unlike "$("$RALPH" loop status)" 'Not on its branch' "and the status"
ok "the agent's own commits are there" test "$(git log --format=%s main | grep -c '^work on pt-2')" -ge 1

# What is verified is what the branch gets.
ticket pt-4
ticket pt-5
ticket pt-6
does pt-4 'echo by pt-4 >>file; close_ticket; commit'
commit_tickets
echo "the user's" >>file
cat >"$T/verify" <<'SCRIPT'
#!/bin/sh
# pt-6 is good only on top of pt-4.
test ! -e out/pt-6 || grep -q pt-4 file
SCRIPT
chmod +x "$T/verify"
run "$RALPH" loop --verify "$T/verify" -- "$T/worker" '{ticket}' '{file}'
exit_is 14 "with a command that verifies"
ok "what it finds good by itself lands" has main out/pt-5
not_ok "what it finds good only with what waits does not" has main out/pt-6
like "$out" '2 merges wait in refs/ralph/land/main \(pt-4, pt-6\)' "it waits"
git checkout -q file
run "$RALPH" loop --verify "$T/verify" -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "until nothing is in the way"
ok "then it lands" has main out/pt-6
ok "nothing is left in the repository" test -z "$(git for-each-ref refs/ralph/land refs/heads/ralph)"
done_testing
