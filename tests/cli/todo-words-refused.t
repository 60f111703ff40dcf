#!/usr/bin/env bash
# A worker's commands count for the task of their own session, and for nothing else.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] T002: Two'
run "$RALPH" 'done'
exit_is 1 "outside a session"
like "$err" 'for agents that ralph runs' "it is said why"
not_ok "and no file is written" test -e ai/ralph/results
for word in 'stuck why' 'blocked so' 'progress 5'; do
	# shellcheck disable=SC2086 # two words
	run "$RALPH" $word
	exit_is 1 "so it is with $word"
done
for word in 'stuck what does grep -h print' 'blocked nothing has --help'; do
	# shellcheck disable=SC2086 # many words
	run "$RALPH" $word
	exit_is 1 "$word: that is no question for help"
	like "$err" 'for agents that ralph runs' "but a word of a worker"
done
run env RALPH_WORKER=/nonexistent/worker "$RALPH" 'done'
exit_is 1 "a session that is over"

worker <<'END'
case $TASK.$KIND in
T001.task)
	# Who keeps working after its word: what it says then is nobody's.
	ralph done
	{ ralph done --summary twice; } >"$LED/twice" 2>&1
	;;
T002.task) ralph done --summary two ;;
esac
END
todo
exit_is 0 "both are done"
like "$(cat "$led/twice")" 'already said how its task ended|not the task of the session' "a second word is refused"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 2 "each was said once"
is "$(jq -r .summary ai/ralph/results/T001.done.json)" "" "and did not change what was said"

# A loop without tasks has nobody to tell.
echo go >prompt
run "${loop[@]}" plain --max-iterations 1 -- "$AGENT" -e "sh $RALPH done 2>$T/plain.err"
like "$(cat "$T/plain.err")" 'no task' "a session without a task takes no word"

no_leftovers "nothing goes on"
done_testing
