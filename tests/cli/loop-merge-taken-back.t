#!/usr/bin/env bash
# A merge that an agent takes off the branch again is kept, named, and no part of a success; one that is there in
# another form is not missed.
. "$(dirname "$0")/tickets.sh"

gone() { git for-each-ref --format='%(refname)' refs/ralph/gone; }
# Takes back what landed last, in its own tree, too: otherwise its merge would bring it back.
back="git -C '$project' reset -q --hard HEAD~1; git reset -q --hard main"

new_project
ticket pt-1 priority=0
ticket pt-2
does pt-2 "$back; work; close_ticket; commit"
commit_tickets
# shellcheck disable=SC2016 # for the shell that runs it
run "$RALPH" loop --on-alert 'cat >>"$T/alerts"' -- "$T/worker" '{ticket}' '{file}'
exit_is 14 "what was taken off the branch is not done"
not_ok "it is not there" has main out/pt-1
ok "what landed after it is" has main out/pt-2
ref=$(gone)
like "$ref" '^refs/ralph/gone/pt-1/[0-9a-f]{12}$' "the merge is kept"
ok "with its work" has "$ref" out/pt-1
unlike "$out" 'COMPLETE' "nothing is promised"
like "$out" "pt-1 .*git merge $ref" "it is named on stdout, with what to do"
like "$err" "pt-1 .*git merge $ref" "and in the summary"
like "$err" 'ALERT.*not on its branch' "an alert is raised"
ok "the user's command gets it" grep -qF "git merge $ref" "$T/alerts"
ok "progress.md names it" progress_says "^- Not on the branch yet: pt-1 "
ok "and is not complete" progress_says "^- Status: INCOMPLETE"
git merge -q "$ref" 2>/dev/null
ok "what it says brings it back" has main out/pt-1

# Rebased, the merge is no more, but what it brought is there.
ticket pt-3 priority=0
ticket pt-4
does pt-4 "(cd '$project' && git rebase -q --force-rebase HEAD~1); git reset -q --hard main; work; close_ticket; commit"
work_on
exit_is 0 "what was only rebased is done"
ok "it is there" has main out/pt-3
like "$out" "$sigil" "all is complete"
is "$(gone)" "$ref" "nothing more is kept"

# Two commits and their merge become one commit.
ticket pt-7 priority=0
ticket pt-8
does pt-7 'echo 1 >one; commit; echo 2 >two; commit; close_ticket; commit'
does pt-8 "(cd '$project' && git reset -q --soft HEAD~1 && git commit -qm squashed); git reset -q --hard main; work; close_ticket; commit"
work_on
exit_is 0 "what was squashed is done"
ok "it is there" has main two
is "$(gone)" "$ref" "nothing more is kept"

# The worktree was made before.
ticket pt-5 priority=0
ticket pt-6
does pt-6 "git -C '$project' reset -q --hard HEAD~1; close_ticket; promise"
work_on
exit_is 0 "what a later merge brings back is done"
ok "it is on the branch" has main out/pt-5
done_testing
