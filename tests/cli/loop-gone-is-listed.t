#!/usr/bin/env bash
# `ralph loop status` names a merge that was taken off the branch, until the branch has it again; so does the turn of --once
# that ends the loop.
. "$(dirname "$0")/tickets.sh"

# Takes back what landed last, in its own tree, too: otherwise its merge would bring it back.
back="git -C '$project' reset -q --hard HEAD~1; git reset -q --hard main"
new_project untracked
ticket pt-1 priority=0
ticket pt-2
does pt-2 "$back; work; close_ticket; commit"

ended() {
	work_on --once
	[[ $err == *'## Loop '* ]]
}
ok "the last turn" wait_for 60 ended
exit_is 14 "is no success"
ref=$(git for-each-ref --format='%(refname)' refs/ralph/gone)
like "$ref" '^refs/ralph/gone/pt-1/[0-9a-f]{12}$' "what was taken off the branch is kept"
like "$err" "pt-1 .*git merge $ref" "and named by that turn"
like "$out" "pt-1 .*git merge $ref" "on stdout, too"

# The next run says nothing more of it, and its progress.md neither.
ticket pt-3
work_on
exit_is 0 "another run"
run "$RALPH" loop status
like "$out" $'\nNot on main any more: pt-1 '"${ref##*/} \\(git merge $ref\\)"$'\n' "status names it, and how to get it back"
run "$RALPH" loop status --json
is "$(jq -c .gone <<<"$out")" "[{\"ticket\":\"pt-1\",\"commit\":\"${ref##*/}\",\"ref\":\"$ref\"}]" "for programs, too"
git branch elsewhere && git switch -q elsewhere
git merge -q "$ref" 2>/dev/null
run "$RALPH" loop status
unlike "$out" 'any more' "a branch that has it has it"
git switch -q main
run "$RALPH" loop status
like "$out" $'\nNot on main any more: pt-1 ' "one that has not has not"
git cherry-pick -m 1 "$ref" >/dev/null
run "$RALPH" loop status
unlike "$out" 'any more' "brought back as another commit it is there"
run "$RALPH" loop status --json
is "$(jq -c .gone <<<"$out")" "[]" "and nothing is left to tell"
done_testing
