#!/usr/bin/env bash
# A program that an earlier task left running does not speak for the next one: not by `ralph done`,
# not by any other word, not by naming that task, and it writes no done file.  Progress needs no proof.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Leaves a program behind' '- [ ] T002: Takes its time'
worker <<'END'
late() {
	while ! [ -e "$LED/T002.1.task" ]; do command ralph done --summary between 2>/dev/null; done
	for word in 'done --summary stolen' 'blocked me' 'stuck why' 'done --task T001' 'done --task T002' \
		'blocked --task t002 me' "done --turn $TURN" "stuck --turn $TURN --task T002 why" \
		"progress --turn $TURN 34" 'progress 35' 'progress --task T002 36'; do
		command ralph $word >>"$LED/late.out" 2>&1
		echo "$word: $?" >>"$LED/late.rc"
	done
	test -e ai/ralph/results/T002.done.json && echo written >>"$LED/late.rc"
	: >"$LED/late"
}
case $TASK.$KIND in
T001.task)
	ralph done --summary one
	late </dev/null &
	;;
T002.task)
	while ! [ -e "$LED/late" ]; do sleep 0.02; done
	(ralph progress 40)
	ralph done --summary two
	;;
esac
END
todo
exit_is 0 "both are done"
is "$(sed 's/--turn [a-z0-9]*/--turn .../' "$led/late.rc")" "done --summary stolen: 1
blocked me: 1
stuck why: 1
done --task T001: 1
done --task T002: 1
blocked --task t002 me: 1
done --turn ...: 1
stuck --turn ... --task T002 why: 1
progress --turn ... 34: 1
progress 35: 0
progress --task T002 36: 0" "what is left of the first task is refused, whatever it names"
like "$(cat "$led/late.out")" "run the command that stands in your task's prompt" "with the way out"
like "$(cat "$led/late.out")" 'this word is of another turn' "who has an old token is told so"
like "$(cat "$led/late.out")" 'T001 is not the task of the session any more' "and no other name helps"
is "$(jq -r .summary ai/ralph/results/T002.done.json)" two "the second is done by its own word"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 2 "each was said once"
is "$(facts 'select(.signal == "progress") | .text' | xargs)" "35 36 40" "as was all else"
is "$(commits | xargs)" "" "nothing was changed"
no_leftovers "nothing goes on"

# A worker behind a shell, or behind a server that it started late, is as good as any.
list '- [ ] T001: One' '- [ ] T002: Two'
rm -rf "${led:?}"/* ai/ralph/results
worker <<'END'
case $KIND in task) ralph done --summary "$TASK" ;; esac
END
run "$RALPH" todo -- sh -c '"$@"; exit $?' sh "${lead[@]}"
exit_is 0 "behind a shell"
is "$(marks | xargs)" "x T001 x T002" "both are done by their words"
is "$(texts | xargs)" "task T001 clear T001 task T002" "at once"
no_leftovers "nothing goes on"
done_testing
