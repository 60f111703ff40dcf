#!/usr/bin/env bash
# A repository that git cannot use is refused; it is not taken for a project without git.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
commit_tickets
cp -a .git "$T/sound"
refused() { # WHAT WORDS
	run "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
	exit_is 1 "$1: refused"
	like "$err" "$2" "$1: it says which one"
	like "$err" '--no-worktree' "$1: and a way without it"
	is "$out" "" "$1: nothing is promised"
	is "$(starts)" 0 "$1: nothing was started"
}
: >.git/HEAD
refused "an empty HEAD" "git cannot use $project/\\.git: mend it"
rm -rf .git && cp -a "$T/sound" .git && rm -rf .git/objects
refused "no objects" "git cannot use $project/\\.git: mend it"
rm -rf .git && echo "gitdir: $T/nowhere" >.git
refused "a worktree that is not known" "git cannot use $project/\\.git: mend it"
rm .git && mkdir .git && git init -q "$T/work" && git -C "$T/work" commit -q --allow-empty -m outer
refused "git would take the one around it" "git cannot use $project/\\.git, and takes $T/work/\\.git instead"
does pt-1 'work; close_ticket'
run "$RALPH" loop --no-worktree -- "$T/worker" '{ticket}' '{file}'
exit_is 0 "--no-worktree needs none"

# In mid-run.
rm -rf .git "$T/work/.git" && cp -a "$T/sound" .git
ticket pt-2
does pt-2 "work; close_ticket; commit; : >'$project/.git/HEAD'"
work_on
not_ok "damaged by an agent: not all is well" test "$status" -eq 0
is "$out" "" "and nothing is promised"
done_testing
