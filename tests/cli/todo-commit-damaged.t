#!/usr/bin/env bash
# A repository that git cannot use is not "no repository": a run does not begin in it, and what a task did
# while it was damaged or taken away is not committed, and so not complete.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Work'
worker <<'END'
case $KIND in task) eval "$(cat "$LED/../damage")"; echo "$TASK" >"$TASK.txt"; ralph done --summary "did $TASK" ;; esac
END
: >"$T/damage"
sound=$T/sound
cp -a .git "$sound"
mend() { rm -rf .git && cp -a "$sound" .git; }

# Before the run.
refused() { # WHAT
	todo
	exit_is 1 "$1: refused"
	like "$err" "git cannot use $PWD/\\.git: mend it, or take it away" "$1: which one is said"
	unlike "$out" 'complete' "$1: nothing is complete"
	is "$(marks)" "  T001" "$1: nothing is ticked"
}
: >.git/HEAD
refused "an empty HEAD"
mend && rm -rf .git/objects
refused "no objects"
mend && rm -rf .git && echo "gitdir: $T/nowhere" >.git
refused "a linked worktree that is not known any more"
rm .git && mend
mkdir below && cd below && cp -r ../ai . || exit 1
: >../.git/HEAD
todo
exit_is 1 "in a directory below"
like "$err" "git cannot use ${PWD%/below}/\\.git" "the one above is named"
cd .. && mend
mkdir -p below/.git/refs && cd below || exit 1
todo
exit_is 1 "git would take the one around it"
like "$err" "git cannot use $PWD/\\.git, and takes ${PWD%/below}/\\.git instead" "which is said"
cd .. && rm -r below
not_ok "no worker was started" test -e "$led/log"

# In mid-run.
waits() { # WHAT DAMAGE WORDS
	mend
	rm -f T00*.txt
	list '- [ ] T001: Work'
	echo "$2" >"$T/damage"
	todo
	exit_is 14 "$1: what is not committed is not complete"
	like "$out" "T001.*not committed: $3" "$1: it says why"
	unlike "$out" 'All tasks complete|no changes to commit' "$1: and nothing else"
	is "$(marks)" "  T001" "$1: its box is not ticked"
	echo : >"$T/damage"
}
mends() { # WHAT
	local before
	before=$(texts | grep -c task)
	todo
	exit_is 0 "$1: mended, it is committed"
	is "$(commits)" "T001: did T001" "$1: as it was to be"
	is "$(git show --name-only --format= HEAD)" "T001.txt" "$1: with what it did"
	is "$(marks)" "x T001" "$1: and ticked"
	is "$(texts | grep -c task)" "$before" "$1: nobody did it again"
}
waits "an empty HEAD" 'cp .git/HEAD head; : >.git/HEAD' "git cannot use .*/\\.git"
mv head .git/HEAD
mends "an empty HEAD"
waits "no objects" "mv .git/objects $T/objects" "git cannot use .*/\\.git"
mv "$T/objects" .git/objects
mends "no objects"
waits "taken away" "mv .git $T/away" "the git repository of $PWD is gone"
todo
exit_is 14 "it waits as long as that is so"
mv "$T/away" .git
mends "taken away"
waits "another one in its place" "mv .git $T/away; git init -q .; git commit -qm other --allow-empty" "how T001 began cannot be read"
rm -rf .git && mv "$T/away" .git
mends "another one in its place"

# The next task does not begin as if there had never been one.
mend
rm -f T00*.txt
list '- [ ] T001: Work' '- [ ] T002: More'
echo "[ ! -e .git ] || mv .git $T/away" >"$T/damage"
todo --max-failures 1
not_ok "a later task is not complete either" test "$status" -eq 0
is "$(marks | paste -sd,)" "  T001,  T002" "neither is ticked"
unlike "$out" 'no changes to commit' "nor said to have changed nothing"
like "$out$err" "T002.*the git repository of $PWD is gone" "it is said why"

# Who is to be asked is not asked about what cannot be.
rm -rf .git && mend
rm -f T00*.txt
list '- [ ] T003: Work'
echo ': >.git/HEAD' >"$T/damage"
todo --commit ask --new-run
exit_is 14 "--commit ask: it waits"
is "$(marks)" "  T003" "and is not ticked"

# What git was told not to look at is no repository of ours.
mkdir -p below && cd below || exit 1
list '- [ ] T004: Work'
echo : >"$T/damage"
export GIT_CEILING_DIRECTORIES=${PWD%/below}
todo
exit_is 0 "above a ceiling: it is none"
like "$out" 'T004 complete: no changes to commit: this is no git repository' "as is said"
no_leftovers "nothing goes on"
done_testing
