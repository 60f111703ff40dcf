#!/usr/bin/env bash
# A hook that refuses: it is reported with its words, the task is done, and nothing is lost.
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
exit_is 0 "both are complete"
like "$(jq -r .text "$T/alerts")" '^T001: not committed: .*pre-commit.*bad\.txt must not be committed' "somebody is told"
like "$(grep -A 4 'T001:' ai/ralph/activity.md)" 'Commit:\*\* skipped' "it is in activity.md"
is "$(commits)" "T002: good" "the next one is committed"
is "$(git show --name-only --format= HEAD)" "good.txt" "by itself"
is "$(git status --porcelain)" "?? bad.txt" "the work is where it was"
is "$(git ls-files -u; git stash list)" "" "and nowhere else"
no_leftovers "nothing goes on"
done_testing
