#!/usr/bin/env bash
# `ralph graph worktree remove` loses nothing that git's status does not show: files that git was told to overlook, commits
# in submodules.  What git ignores goes, and that is said.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q lib && echo l >lib/l && git -C lib add l && git -C lib commit -qm lib
repo
tasks a
echo one >file
echo '*.log' >.gitignore
git submodule --quiet add "$T/work/lib" sub
git add -A
git commit -qm graph

for mark in --skip-worktree --assume-unchanged; do
	g worktree new one
	git -C ../repo-one update-index "$mark" file
	echo precious >../repo-one/file
	g worktree remove one
	exit_is 1 "a change that is hidden with $mark is not thrown away"
	like "$err" "worktree has 1 uncommitted change\\(s\\); 'file' was hidden from git status and is no longer: commit or undo it first" \
		"which file it is, is said ($mark)"
	is "$(cat ../repo-one/file)" precious "it is as it was ($mark)"
	g worktree remove one --force
	exit_is 0 "unless that is wanted ($mark)"
	not_ok "then it is gone ($mark)" test -e ../repo-one
done

g worktree new one
(
	cd ../repo-one || exit 1
	git submodule --quiet update --init
	cd sub || exit 1
	git commit -q --allow-empty -m work
	cd .. || exit 1
	git add sub
	git commit -qm bump
)
g worktree remove one
exit_is 1 "nor are commits in a submodule"
like "$err" "the repository 'sub' in $T/work/repo-one has commits that are nowhere else: push them first" "in which one, is said"
is "$(git -C ../repo-one/sub log -1 --format=%s)" work "they are there"
git -C ../repo-one/sub push -q origin HEAD:refs/heads/work
echo 12345 >../repo-one/x.log
g worktree remove one
exit_is 0 "once they are pushed, it can be removed"
like "$out" 'the branch feature/one has commits that are nowhere else, and stays' "the branch stays"
like "$out" "^removed $T/work/repo-one, with what git ignores: 1 file \\(6 bytes\\);" "how much went that git ignores is said"
done_testing
