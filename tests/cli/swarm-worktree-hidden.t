#!/usr/bin/env bash
# A worker's worktree stays when something in it would be lost that git's status does not show: files that git was told to
# overlook, commits in submodules.  What git ignores goes, and that is said.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/../cli/lib.sh"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q lib && echo l >lib/l && git -C lib add l && git -C lib commit -qm lib
git init -q repo && cd repo && echo one >a && echo '*.log' >.gitignore
git add a .gitignore && git submodule --quiet add "$T/work/lib" sub && git commit -qm one
trees=$T/work/repo-worktrees
hidden="worktree has 1 uncommitted change\\(s\\); 'a' was hidden from git status and is no longer: commit or undo it first"

# A worker that is over: worker NAME SCRIPT.
worker() {
	run "$SWARM" spawn --name "$1" --worktree -- sh -c "$2"
	exit_is 0 "a worker ($1)"
	run "$SWARM" wait --timeout 60 "$1"
}

worker skip 'git update-index --skip-worktree a; echo precious >a'
run "$SWARM" clean --all --yes
exit_is 0 "clean --all of a worker with a hidden change"
like "$err" "preserving worktree for 'skip': $hidden" "says which file it is"
like "$err" "worktree at: $trees/skip" "and where"
like "$err" "use --force-dirty to remove anyway" "and how it can be removed"
is "$(cat "$trees/skip/a")" precious "the work is there"
is "$(git -C "$trees/skip" status --porcelain)" " M a" "and whoever looks sees it now"

worker assume 'git update-index --assume-unchanged a; echo precious >a'
run "$SWARM" clean assume
like "$err" "preserving worktree for 'assume': $hidden" "the same of one that is marked as unchanged, by name"
is "$(cat "$trees/assume/a")" precious "the work is there, too"

worker kill 'git update-index --skip-worktree a; echo precious >a'
run "$SWARM" kill --rm-worktree kill
like "$err" "cannot remove worktree for 'kill': $hidden" "kill --rm-worktree says it"
is "$(cat "$trees/kill/a")" precious "and does not remove it"
git -C "$trees/kill" update-index --skip-worktree a
run "$SWARM" respawn --clean-first kill
exit_is 1 "respawn --clean-first is refused"
like "$err" "cannot remove worktree: $hidden" "with the same words"
is "$(cat "$trees/kill/a")" precious "nothing of it is gone"
run "$SWARM" clean --force-dirty kill
not_ok "--force-dirty removes it" test -e "$trees/kill"

# The commit that the branch names is in the worktree's copy of the submodule, and nowhere else.
worker sub 'git submodule --quiet update --init; cd sub; echo x >new; git add new; git commit -qm work; cd ..; git add sub; git commit -qm bump'
nowhere="the repository 'sub' in $trees/sub has commits that are nowhere else: push them first"
run "$SWARM" kill --rm-worktree sub
like "$err" "cannot remove worktree for 'sub': $nowhere" "kill --rm-worktree knows of commits in submodules"
run "$SWARM" clean sub
exit_is 0 "so does clean"
like "$err" "preserving worktree for 'sub': $nowhere" "and says in which"
is "$(git -C "$trees/sub/sub" log -1 --format=%s)" work "they are there"
git -C "$trees/sub/sub" push -q origin HEAD:refs/heads/work
run "$SWARM" spawn --name sub --worktree -- true
run "$SWARM" wait --timeout 60 sub
run "$SWARM" clean sub
is "$out$err" "cleaned sub" "once they are pushed, the worktree may go"
not_ok "and goes" test -e "$trees/sub"

# What git ignores.
worker ignored 'echo 12345 >x.log; mkdir d; echo 123 >d/y.log'
run "$SWARM" clean ignored
is "$out" "cleaned ignored" "what git ignores is in nobody's way"
is "$err" "swarm: with the worktree of 'ignored' went what git ignores: 2 files (10 bytes)" "but how much it was is said"
worker ignored 'echo 12345 >x.log'
run "$SWARM" kill --rm-worktree ignored
is "$err" "swarm: with the worktree of 'ignored' went what git ignores: 1 file (6 bytes)
swarm: warning: worker 'ignored' is not running" "by kill, too, which tells that the worker was over"
worker both 'echo 12345 >x.log; echo new >new'
run "$SWARM" clean both
unlike "$err" 'went what' "of one that stays nothing went"
no_leftovers "nothing goes on"
done_testing
