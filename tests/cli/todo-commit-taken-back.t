#!/usr/bin/env bash
# A commit that a later worker takes off its branch again is kept, named, and no part of a success; one that is
# there in another form is not missed.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: The first' '- [ ] T002: The second'
worker <<'END'
case $TASK.$KIND in
*.task)
	case $(cat "$LED/$TASK.does" 2>/dev/null) in
	reset) git reset -q --hard HEAD~1 ;;
	prune) git reflog expire --expire=now --all; git gc -q --prune=now ;;
	amend) git commit -q --amend -m 'in other words' ;;
	change) echo more >>T001.txt; git add T001.txt; git commit -q --amend --no-edit ;;
	rebase) git reset -q --hard HEAD~1; echo two >README.md; git commit -qam between; git cherry-pick ORIG_HEAD >/dev/null ;;
	move) git branch aside; git reset -q --hard HEAD~1 ;;
	esac
	echo "by $TASK" >"$TASK.txt"
	ralph done --summary "do $TASK"
	;;
esac
END
does() { echo "$2" >"$led/$1.does"; }
gone() { git for-each-ref --format='%(refname)' refs/ralph/gone; }

does T002 reset
todo --on-alert "cat >>$T/alerts"
exit_is 14 "what was taken off the branch is not done"
unlike "$out" 'All tasks complete!' "nobody says that all is complete"
like "$out" 'not all of their commits are known to be on a branch' "the end says what it is"
ref=$(gone)
like "$ref" '^refs/ralph/gone/T001/[0-9a-f]{12}$' "the commit is kept"
is "$(git show "$ref:T001.txt")" "by T001" "with its work"
like "$out" "T001 .*git cherry-pick $ref" "it is named, with what to do"
ok "that is an alert" grep -qF "git cherry-pick $ref" "$T/alerts"
like "$("$RALPH" status "$name")" 'Exit reason: unlanded' "status knows it"
git cherry-pick "$ref" >/dev/null
is "$(cat T001.txt T002.txt | paste -sd,)" "by T001,by T002" "what it says brings it back"

# One that is told is not told again.
git reset -q --hard HEAD~1
list '- [ ] T003: The third'
todo
exit_is 0 "what was said once is for the user to decide"

n=10
again() {
	git for-each-ref --format='delete %(refname)' refs/ralph refs/heads/aside | git update-ref --stdin
	rm -f T001.txt
	git add -A && git commit -q --allow-empty -m "before $1"
	local first=T0$n second=T0$((n + 1))
	n=$((n + 2))
	list "- [ ] $first: First of $1" "- [ ] $second: Second of $1"
	does "$second" "$1"
	todo
}
for form in amend change rebase move; do
	again "$form"
	exit_is 0 "$form: its change is there"
	like "$out" 'All tasks complete!' "$form: and all is complete"
	is "$(gone)" "" "$form: nothing is kept"
done

# While the second worked, what was there at its start was kept.
list '- [ ] T030: The first' '- [ ] T031: The second' '- [ ] T032: The third'
does T031 reset
does T032 prune
todo
exit_is 14 "what is not even in the repository any more is not done either"
like "$out" 'T030 .*not in the repository any more' "that is said"
no_leftovers "nothing goes on"
done_testing
