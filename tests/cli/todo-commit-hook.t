#!/usr/bin/env bash
# A hook that refuses: it is reported with its words, the task waits for its commit, the others do
# not wait for it, and what somebody mends is what the next run commits.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Refused' '- [ ] T002: Allowed'
cat >.git/hooks/pre-commit <<'END'
#!/bin/sh
git diff --cached --name-only | grep -q bad || exit 0
echo "bad.txt must not be committed" >&2
exit 1
END
chmod +x .git/hooks/pre-commit
worker <<'END'
case $TASK.$KIND in
T001.task) echo bad >bad.txt; ralph done --summary 'bad' ;;
T002.task) echo good >good.txt; ralph done --summary 'good' ;;
esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 14 "one of them is not committed"
like "$(grep -v '^\[ralph\]' <<<"$out")" 'T001: not committed: .*must not be committed' "the end names it"
is "$(marks | paste -sd,)" "  T001,x T002" "only what is committed is ticked"
like "$(jq -r .text "$T/alerts")" '^T001: not committed: .*pre-commit.*bad\.txt must not be committed' "somebody is told"
like "$(grep -A 4 'T001:' ai/ralph/activity.md)" 'Commit:\*\* skipped' "it is in activity.md"
is "$(commits)" "T002: good" "the next one is committed"
is "$(git show --name-only --format= HEAD)" "good.txt" "by itself"
is "$(git status --porcelain)" "?? bad.txt" "the work is where it was"
is "$(git ls-files -u; git stash list)" "" "and nowhere else"

todo
exit_is 14 "as long as the hook refuses"
is "$(texts | grep task | paste -sd,)" "task T001,task T002" "the worker is not asked again"
echo mended >bad.txt
echo 'exit 0' >.git/hooks/pre-commit
todo
exit_is 0 "when it does not, the commit is made"
is "$(commits | head -n 1)" "T001: bad" "with the words of the worker"
is "$(git show --name-only --format= HEAD)" "bad.txt" "by itself"
is "$(git show HEAD:bad.txt)" "mended" "as somebody has mended it"
is "$(git status --porcelain)" "" "nothing is left"
is "$(marks | paste -sd,)" "x T001,x T002" "and it is ticked"
no_leftovers "nothing goes on"
done_testing
