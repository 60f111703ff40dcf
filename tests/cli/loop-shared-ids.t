#!/usr/bin/env bash
# Two loops in one repository whose tickets have the same ids, at the same time: two projects of a monorepo; a project
# in two worktrees that land on branches of their own; the same where both land on one branch.
#
# By hand, twenty times, with the optimised program:
#
#	./run --version && SHARED_IDS_TRIALS=20 RALPH=$PWD/build/ralph bash tests/cli/loop-shared-ids.t
set -- "${SHARED_IDS_TRIALS:-${1:-1}}"
. "$(dirname "$0")/tickets.sh"

ids=$(echo t-{1..10})
worker=("$T/worker" '{ticket}' '{file}')

# The worker takes a moment, which differs, and writes down its commit.
for id in $ids; do
	does "$id" <<'SCRIPT'
sleep "0.$((RANDOM % 4))"; work; close_ticket; commit; note "commit $(git rev-parse HEAD)"
SCRIPT
done

tickets_in() {
	mkdir -p "$1/.tickets" && cd "$1" || exit 1
	init_project
	for id in $ids; do ticket "$id" tags=component:"$id"; done
}

repository() {
	: >"$T/log"
	mkdir "$1" && cd "$1" || exit 1
	git init -q && echo one >file && git add file && git commit -qm one
}

# begin DIR [OPTION...]
begin() {
	cd "$1" || exit 1
	shift
	run_bg "$RALPH" loop --parallel 2 "$@" -- "${worker[@]}"
}

# Both loops end, complete.  What the other one closed in a checkout that both see is named as that.
both_end() {
	end_bg 300 "$1"
	first=$status first_says=$out$err
	end_bg 300 "$2"
	is "$first $status" "0 0" "$3: both loops end well"
	is "$(grep -cE "^(${4:-All tickets are done})" <<<"$first_says"$'\n'"$out$err")" 2 "$3: both say that all is done"
	[[ $first$status == 00 ]] || diag "$first_says"$'\n'"$out$err"
}

# once BRANCH PATH...: how many of the files came to the branch exactly once.
once() {
	local branch=$1 n=0 file
	shift
	for file; do
		[[ $(git log -m --first-parent --diff-filter=A --format=%h "$branch" -- "$file" | wc -l) -ne 1 ]] || n=$((n + 1))
	done
	echo "$n"
}

# How many commits of workers no branch of ours has.
unreachable() {
	local n=0 commit
	while read -r commit; do
		[[ -n $(git branch --contains "$commit" --list "$@" 2>/dev/null) ]] || n=$((n + 1))
	done < <(sed -n 's/^commit //p' "$T/log")
	echo "$n"
}

open_on() {
	git grep -c '^status: open' "$1" -- '*.tickets*' | wc -l
}

# Nobody worked on the ticket of one list while somebody else did.
overlaps() {
	awk '/^start/ { if (busy[$2]++) n++ } /^end/ { busy[$2]-- } END { print n + 0 }' "$T/log"
}

left_over() {
	git branch --list 'ralph/*' && git for-each-ref refs/ralph && git worktree list | grep /.tf/ralph/worktrees/
}

# shellcheck disable=SC2046,SC2086 # words
trial() {
	local name a

	name="$1, two projects"
	repository "$T/work/mono$1"
	(tickets_in "$PWD/a") && (tickets_in "$PWD/b")
	git add . && git commit -qm tickets
	begin "$T/work/mono$1/a" && a=$bg
	begin "$T/work/mono$1/b"
	both_end "$a" "$bg" "$name"
	cd "$T/work/mono$1" || exit 1
	is "$(once main $(printf 'a/out/%s ' $ids) $(printf 'b/out/%s ' $ids))" 20 "$name: every file is on main, once"
	is "$(starts) $(unreachable main) $(open_on main)" "20 0 0" "$name: one worker each, no commit is lost, all are closed"
	is "$(left_over)" "" "$name: no branch, copy or worktree is left"

	name="$1, two worktrees"
	repository "$T/work/tree$1"
	(tickets_in "$PWD")
	git add . && git commit -qm tickets
	git worktree add -q -b other "$T/work/tree$1-other"
	begin "$T/work/tree$1" && a=$bg
	begin "$T/work/tree$1-other"
	both_end "$a" "$bg" "$name"
	is "$(once main $(printf 'out/%s ' $ids)) $(once other $(printf 'out/%s ' $ids))" "10 10" \
		"$name: every file is on both branches, once"
	is "$(overlaps) $(unreachable main other) $(open_on main) $(open_on other)" "0 0 0 0" \
		"$name: one worker at a time, no commit is lost, all are closed"
	is "$(left_over)" "" "$name: no branch, copy or worktree is left"

	name="$1, two worktrees and one branch"
	repository "$T/work/same$1"
	(tickets_in "$PWD")
	git add . && git commit -qm tickets
	git worktree add -q --detach "$T/work/same$1-other"
	begin "$T/work/same$1" && a=$bg
	begin "$T/work/same$1-other" --base main
	both_end "$a" "$bg" "$name" "All tickets are done|No ticket is left; what others closed"
	is "$(once main $(printf 'out/%s ' $ids))" 10 "$name: every file is on main, once"
	is "$(starts) $(unreachable main) $(open_on main)" "10 0 0" "$name: one worker each, no commit is lost, all are closed"
	is "$(left_over)" "" "$name: no branch, copy or worktree is left"
}

for ((n = 1; n <= $1; n++)); do trial "$n"; done
no_leftovers "nothing goes on"
done_testing
