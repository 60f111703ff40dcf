#!/usr/bin/env bash
# The verify command decides over the merged result, before anything lands.
# shellcheck disable=SC2016 # it is text for others
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
work_on --verify 'test -e out/pt-1 && pwd >"$T/where"'
exit_is 0 "what passes lands"
like "$(cat "$T/where")" '/\.tf/ralph/worktrees/pt-1$' "it was tried in the worktree"

ticket pt-2
head=$(git rev-parse HEAD)
work_on --verify 'echo "two tests failed"; exit 4'
exit_is 11 "what does not fails"
like "$err" $'\npt-2: FAILED \\(unverified\\)\n' "by that name"
not_ok "it does not land" has main out/pt-2
is "$(git rev-list "$head"..main --merges | wc -l)" 0 "nothing is half merged"
is "$(git show ralph/pt-2:out/pt-2)" "work of pt-2" "the branch is kept"
ok "so is the worktree" test -d .tf/ralph/worktrees/pt-2
does pt-2 <<'SCRIPT'
echo "$RALPH_LAST_FAILURE" >"$T/why"; note "again $(cat out/pt-2)"; close_ticket; commit
SCRIPT
work_on --verify true
exit_is 0 "a later run goes on with it"
ok "with the work that is there" said "$T/log" '^again work of pt-2'
ok "and it lands" has main out/pt-2

# Each passes alone; together they do not.
ticket pt-3
ticket pt-4
does pt-3 'after "start pt-4"; touch a; close_ticket; commit'
does pt-4 <<'SCRIPT'
touch b; close_ticket; commit; after "### pt-3: COMPLETE" "$T/work/project/.tf/ralph/progress.md"
SCRIPT
work_on --parallel 2 --verify '! test -e a || ! test -e b'
exit_is 11 "it is the merged result that counts"
is "$(summary Completed)" "1 (pt-3)" "the first of two that do not fit lands"
is "$(summary Failed)" "1 (pt-4)" "the second does not"
done_testing
