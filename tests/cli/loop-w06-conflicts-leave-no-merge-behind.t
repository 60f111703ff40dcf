#!/usr/bin/env bash
# W6: a conflict leaves no merge in progress in anybody's tree; later merges succeed.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-1 <<'SCRIPT'
after "start pt-2"; echo one of pt-1 >file; close_ticket; commit
SCRIPT
does pt-2 <<'SCRIPT'
echo one of pt-2 >file; close_ticket; commit
after "### pt-1: COMPLETE" "$T/work/project/.tf/ralph/progress.md"
SCRIPT
does pt-3 <<'SCRIPT'
after "### pt-2: FAILED" "$T/work/project/.tf/ralph/progress.md"
work; close_ticket; commit
SCRIPT
work_on --parallel 3
exit_is 11 "one failed"
like "$err" $'\npt-2: FAILED \\(conflict\\)\n' "because of a conflict"
is "$(summary Completed)" "2 (pt-1 pt-3)" "the one after it is merged"
is "$(cat file)" "one of pt-1" "the project has the first one's file"
not_ok "the project is not in a merge" test -e .git/MERGE_HEAD
is "$(git status --porcelain --untracked-files=no)" "" "and clean"
tree=.tf/ralph/worktrees/pt-2
ok "the worktree is kept" test -d "$tree"
not_ok "it is not in a merge either" test -e "$(git -C "$tree" rev-parse --git-path MERGE_HEAD)"
is "$(git show ralph/pt-2:file)" "one of pt-2" "the branch is kept with its work"
done_testing
