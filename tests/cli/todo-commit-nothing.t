#!/usr/bin/env bash
# A task that changed nothing: "no changes to commit".  So it is without a repository.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Only looks' '- [ ] T002: Touches the same bytes'
worker <<'END'
case $TASK.$KIND in
T001.task) ralph done ;;
T002.task) echo one >README.md; ralph done ;;
esac
END
todo
exit_is 0 "done"
is "$(commits)" "" "no commit is made"
like "$out" 'T001 complete: no changes to commit' "it is said"
like "$(cat ai/ralph/activity.md)" 'Commit:\*\* skipped.*Notes:\*\* no changes to commit' "and logged"
is "$(jq -c .git_workflow.commits ai/ralph/state.json)" "[]" "the state has none"
rm -rf .git
list '- [ ] T003: Without git'
worker <<'END'
case $KIND in task) echo x >x; ralph done ;; esac
END
todo
exit_is 0 "without a repository"
like "$out" 'T003 complete: no changes to commit: this is no git repository' "it says that"
is "$(marks)" "x T003" "and marks it"
no_leftovers "nothing goes on"
done_testing
