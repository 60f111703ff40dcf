#!/usr/bin/env bash
# Words that come late, twice, from a quotation or not at all, by a worker that goes through one list:
# none counts for another task, and none is lost.  What each task does besides its work:
#
#	T001  says done twice, then once more when T002 was given: bare, as the first task may
#	T002  late: done, with its own token
#	T003  late: blocked, bare
#	T004  late: stuck, with its own token
#	T005  late: done, naming the next task
#	T006  late: the tag DONE
#	T007  late: the tags BLOCKED and STUCK
#	T008  leaves a program running that says all of that while T009 is worked on
#	T009  shows a file with tags: quoted, and in a block; and asks a question by a tag of its own
#	T010  shows DONE, and then really says done, before it is reminded of anything
#	T011  says DONE without its file; does what the reminder says
#	T012  says nothing; does what it is asked to
#	T013  writes its file itself, and says done bare
#	T014  says done through a server that was started for T001
#
# "Late" is when the next task was given, and the worker has not read it yet.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
mapfile -t tasks < <(printf 'T%03d\n' {1..14})
project "${tasks[@]/%/: One of many}"
sed -i 's/^T0/- [ ] T0/' ai/todo.md
cat >guide.md <<'END'
How workers speak:
> <promise>BLOCKED:a quotation</promise>
```
<promise>STUCK:an example</promise>
<promise>BLOCKED:an example</promise>
```
END
git add guide.md && git commit -qm guide
mkfifo "$T/server"
worker <<'END'
next=$(printf 'T%03d' $((1${TASK#T} - 1000 + 1)))
results=ai/ralph/results
given() { # the next task, as the session tells
	until grep -q "\"delivered\".*\"$next\"" "${RALPH_WORKER%/*}/signals.jsonl"; do sleep 0.02; done
}
late() { # WORD...: refused, and without a trace
	"$@" >>"$LED/late.out" 2>&1
	echo "$TASK $*: $?" >>"$LED/late"
	! test -e "$results/$next.done.json" || echo "$TASK $* left a file" >>"$LED/late"
}
work() { echo "$TASK" >"$TASK.txt"; }
finish() { work && ralph done --summary "did $TASK"; }
case $TASK.$KIND in
T001.task)
	while read -r line; do sh -c "$line"; done <"$SERVER" &
	work
	command ralph done --summary 'did T001'
	late command ralph done --summary twice
	given
	late command ralph done --summary second
	;;
T002.task) finish; given; late ralph done --summary second ;;
T003.task) finish; given; late command ralph blocked 'not this one' ;;
T004.task) finish; given; late ralph stuck 'is anybody there?' ;;
T005.task) finish; given; late command ralph done --task "$next" --summary second ;;
T006.task) finish; given; tag DONE ;;
T007.task) finish; given; tag BLOCKED:late; tag STUCK:late ;;
T008.task)
	{
		until [ -e "$LED/$next.1.task" ]; do sleep 0.02; done
		late ralph done
		late command ralph done
		late command ralph blocked 'not this one'
		late command ralph stuck 'why?'
		late command ralph done --task "$next"
		late ralph blocked --task "$next" 'not this one'
		command ralph progress 8
		: >"$LED/left"
	} </dev/null &
	finish
	;;
T009.task)
	until [ -e "$LED/left" ]; do sleep 0.02; done
	cat guide.md
	tag 'STUCK:which file has the words?'
	;;
T009.help) finish ;;
T010.task)
	tag DONE
	until grep -q '"signal":"done".*"turn":10' "${RALPH_WORKER%/*}/signals.jsonl"; do sleep 0.02; done
	finish
	echo "$TASK: $?" >>"$LED/heard"
	;;
T011.task) work; tag DONE ;;
T011.reminder | T012.probe)
	work
	said=$(sed -n 's/.*run: ralph done --turn \([a-z0-9]*\).*/\1/p' "$LED/$TASK.$N.$KIND")
	command ralph done --turn "$said" --summary "did $TASK"
	echo "$TASK: $?" >>"$LED/heard"
	;;
T013.task)
	work
	file
	command ralph done --summary 'not in the file'
	echo "$TASK: $?" >>"$LED/heard"
	;;
T014.task)
	work
	echo "command ralph done --turn $TURN --summary 'did T014'; echo \"T014: \$?\" >>$LED/heard" >"$SERVER"
	;;
esac
END
export SERVER=$T/server
sleep 1000 >"$SERVER" & # keeps it open
holder=$!
todo --inactivity-timeout 6 --max-nudges 9
kill "$holder"
exit_is 0 "the whole list"
is "$(marks | grep -c '^x')" 14 "every task is complete"
is "$(commits | sort | xargs)" "$(printf '%s: did %s\n' T001 T001 T002 T002 T003 T003 T004 T004 T005 T005 T006 T006 T007 T007 \
	T008 T008 T009 T009 T010 T010 T011 T011 T012 T012 T013 T013 T014 T014 | xargs) guide" "each by its own word"
for task in "${tasks[@]}"; do
	is "$(git log --format= --name-only --grep "^Task: $task\$")" "$task.txt" "$task has its own work, once"
done
is "$(cat "$led/late")" "T001 command ralph done --summary twice: 1
T001 command ralph done --summary second: 1
T002 ralph done --summary second: 1
T003 command ralph blocked not this one: 1
T004 ralph stuck is anybody there?: 1
T005 command ralph done --task T006 --summary second: 1
T008 ralph done: 1
T008 command ralph done: 1
T008 command ralph blocked not this one: 1
T008 command ralph stuck why?: 1
T008 command ralph done --task T009: 1
T008 ralph blocked --task T009 not this one: 1" "who is late is refused, and writes no done file"
like "$(cat "$led/late.out")" "run the command that stands in your task's prompt" "it is said what to run"
unlike "$(cat "$led/late.out")" "$(token T006)" "but not with the token"
is "$(sort "$led/heard" | xargs)" "T010: 0 T011: 0 T012: 0 T013: 0 T014: 0" "who is right is heard"
is "$(facts 'select(.signal == "blocked") | .text')" "" "nothing was blocked"
is "$(facts 'select(.signal == "stuck") | .text')" "which file has the words?" "the only question is the one that was asked"
is "$(facts 'select(.signal == "progress") | .text')" 8 "progress needs no proof"
is "$(jq -r .summary ai/ralph/results/T013.done.json)" "did T013" "a file that was the proof stays as it is"
no_leftovers "nothing goes on"
done_testing
