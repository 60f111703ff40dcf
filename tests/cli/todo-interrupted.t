#!/usr/bin/env bash
# Ctrl-C and SIGTERM end the worker and keep all; ralph todo goes on with the same task and the same
# snapshot, and commits once.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
echo mine >>README.md
worker <<'END'
case $TASK.$KIND in
T001.task)
	if once first; then echo half >half.txt; : >"$LED/at.INT"; sleep 60
	elif once second; then echo more >more.txt; : >"$LED/at.TERM"; sleep 60
	else echo rest >rest.txt; ralph done --summary 'all of it'; fi
	;;
T002.task) ralph done ;;
esac
END
for signal in INT TERM; do
	todo_bg --grace 1s
	wait_for 20 test -e "$led/at.$signal"
	kill -"$signal" "$bg"
	end_bg 20 "$bg"
	exit_is $((128 + $(kill -l "$signal"))) "ended by SIG$signal"
	like "$out" "Stopped before the end; 'ralph todo' goes on" "it says how to go on"
	is "$(jq -c '[.current_task, .tasks_completed]' ai/ralph/state.json)" '[null,[]]' "the state is saved"
	is "$(commits)$(marks | xargs)" "T001 T002" "nothing is committed or marked"
	no_leftovers "the worker is gone"
done
todo
exit_is 0 "goes on"
is "$(texts | grep -v clear | xargs)" "task T001 task T001 task T001 task T002" "with the task it was at"
is "$(commits)" "T001: all of it" "one commit"
is "$(git show --name-only --format= HEAD | xargs)" "half.txt more.txt rest.txt" "with the work of all three, since the first snapshot"
is "$(git status --porcelain)" " M README.md" "and without the user's"
is "$(jq .iteration ai/ralph/state.json)" 4 "iterations are counted on"

# A kill -9 of the supervisor: the worker goes on, and is found again.
list '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T003.task) : >"$LED/working"; while [ ! -e "$LED/go" ]; do sleep 0.05; done; echo 3 >3.txt; ralph done --summary three; : >"$LED/said" ;;
esac
END
: >"$led/log"
todo_bg
wait_for 20 test -e "$led/working"
crash "$bg"
: >"$led/go"
wait_for 20 test -e "$led/said" && pass "its word is taken while nobody listens"
todo
exit_is 0 "found again"
is "$(texts | xargs)" "task T003" "it was given once"
is "$(commits | head -n 1)" "T003: three" "and is committed"
no_leftovers "nothing goes on"
done_testing
