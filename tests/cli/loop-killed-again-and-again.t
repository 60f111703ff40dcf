#!/usr/bin/env bash
# However often the loop is killed, every ticket is done and merged once, and nothing is left behind.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-{1..6}; do ticket "$id"; done
kills=0
for delay in 0.1 0.25 0.4 0.55 0.7 0.15 0.3 0.45; do
	work_on_bg --parallel 2
	sleep "$delay"
	lib_gone "$bg" && break
	crash "$bg" 2>/dev/null
	kills=$((kills + 1))
done
wait "$bg" 2>/dev/null
work_on
diag "killed $kills times"
ok "it was killed in mid-run" test "$kills" -gt 1
exit_is 0 "the last one ends well"
is "$out" "$sigil" "with the promise"
for id in pt-{1..6}; do
	is "$(git show "main:out/$id")" "work of $id" "the work of $id is there"
	is "$(git log --merges --format=%s | grep -cx "Merge ralph/$id")" 1 "merged once"
done
is "$(grep -L '^status: closed' .tickets/*.md)" "" "all tickets are closed"
is "$(git status --porcelain --untracked-files=no)" "" "the checkout is clean"
is "$(git worktree list | wc -l)" 1 "no worktree is left"
is "$(git branch --format='%(refname:short)' | xargs)" main "and no branch"
is "$(find .git -name '*.lock' ! -name 'ralph-*')" "" "and no lock of git's"
no_leftovers "and no process"
done_testing
