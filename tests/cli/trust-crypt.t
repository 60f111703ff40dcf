#!/usr/bin/env bash
# A filter that was there from the beginning works as ever; when an agent changes it, nothing is
# committed without it.
. "$(dirname "$0")/tickets.sh"
new_project
set_up() {
	git config filter.crypt.clean 'tr a-z n-za-m'
	git config filter.crypt.smudge 'tr n-za-m a-z'
	git config filter.crypt.required true
}
set_up
echo 'secret* filter=crypt' >.gitattributes
git add .gitattributes && git commit -qm attributes

# An agent that takes it away and commits the plain text itself, so that git has no reason to look at it again.
ticket t-0
does t-0 'git config --remove-section filter.crypt; echo own-text >secret0; touch -d yesterday secret0; close_ticket; commit'
work_on
exit_is 11 "what an agent committed without the filter does not land"
like "$err" "secret0. is for the filter 'crypt', which was changed while an agent worked" "and that is said"
not_ok "it is not on the branch" has main secret0
ok "it is kept" grep -rqs own-text .tf/ralph/worktrees
set_up
does t-0 'git reset -q --hard main; close_ticket'

ticket t-1
does t-1 'echo hello >secret1; close_ticket'
work_on --new-run
exit_is 0 "a filter that a person set up works"
is "$(git cat-file blob main:secret1)" "uryyb" "what lands went through it"
ok "nothing is untrusted" "$RALPH" trust

# Away with it: without it, git would take the plain text.
ticket t-2
does t-2 'echo plain-text >secret2; close_ticket; git config --remove-section filter.crypt'
work_on --new-run
exit_is 11 "the work of who takes it away does not land"
like "$err" "the filter 'crypt' was changed while an agent worked and is not trusted" "and that is said"
not_ok "not as plain text" kept plain-text
not_ok "not at all" has main secret2
ok "it is kept where it is" grep -rqs plain-text .tf/ralph/worktrees

# A change, agreed to.
set_up
ok "put back, it is the trusted one" "$RALPH" trust --list
does t-2 'echo plain-text >secret2; close_ticket'
work_on --new-run
is "$(git cat-file blob main:secret2)" "cynva-grkg" "and the work lands"
ticket t-3
does t-3 "echo other >secret3; close_ticket; git config filter.crypt.clean 'cat | tr a-z n-za-m'"
work_on --new-run
like "$err" "the filter 'crypt' was changed" "a changed one is refused as well"
not_ok "its work waits" has main secret3
run "$RALPH" trust --yes
exit_is 0 "somebody agrees"
like "$out" '- tr a-z n-za-m.*' "having seen what it was"
like "$out" '\+ cat \| tr' "and what it is"
does t-3 'echo other >secret3; close_ticket'
work_on --new-run
is "$(git cat-file blob main:secret3)" "bgure" "then it counts"
no_leftovers "nothing goes on"
done_testing
