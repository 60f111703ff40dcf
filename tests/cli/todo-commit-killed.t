#!/usr/bin/env bash
# All of us killed with -9 while our git has references locked: what it left is known for ours, and is
# taken away; nothing is done twice.  A lock of somebody else's stays, and the words say what to do.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
. "$root/tests/cli/killed-git.sh"

project '- [ ] T000: First'
worker <<'END'
case $KIND in task) echo "$TASK" >>"$TASK.txt"; ralph done --summary "all of $TASK" ;; esac
END
todo
exit_is 0 "without a kill"
branch=$(git symbolic-ref HEAD)
locks() { find .git -name '*.lock' ! -name 'ralph*' -o -name packed-refs.new -o -name 'ralph-turn*' -o -path '*/ralph-locks/*'; }

# killed_at TASK SYSCALL LOCK: below .git.
killed_at() {
	list "- [ ] $1: One"
	kill_at "$2" "$PWD/.git/$3"
	todo
	exit_is 137 "all of us are killed at $2 of $3"
	ok "the lock stays" test -e ".git/$3"
	todo
	exit_is 0 "the next run goes on"
	is "$(commits | grep -cx "$1: all of $1")" 1 "with one commit of $1"
	is "$(texts | grep -c "task $1")" 1 "done once"
	is "$(locks)" "" "no lock is left, and nothing of ours"
	is "$(git status --porcelain)" "" "nothing else either"
}

killed_at T001 rename "$branch.lock"
killed_at T002 unlink HEAD.lock
git pack-refs --all
killed_at T003 unlink packed-refs.lock

# Somebody else's.
list '- [ ] T004: One'
touch .git/HEAD.lock
todo
exit_is 14 "a lock that may be anybody's"
ok "stays" test -e .git/HEAD.lock
like "$out" "T004: not committed: .*$PWD/\.git/HEAD\.lock.*remove it" "the words name it, and say what to do"
rm .git/HEAD.lock
todo
exit_is 0 "then the commit is made"
is "$(commits | head -n 1)" "T004: all of T004" "by itself"
no_leftovers "nothing goes on"
done_testing
