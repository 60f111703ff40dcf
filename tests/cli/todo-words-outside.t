#!/usr/bin/env bash
# A word counts from the worker's own processes, however they were started.  From anywhere else it counts only with the
# token that stands in the task's prompt.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: waits' '- [ ] T002: speaks through a daemon' '- [ ] T003: wrote its file'
worker <<'END'
case $TASK.$KIND in
T001.task) echo "$RALPH_WORKER" >"$LED/channel~" && mv "$LED/channel~" "$LED/channel" ;;
T002.task)
	# Without a terminal, a parent, or the environment; and only when the worker's own shell is gone.
	setsid sh -c 'env -i PATH="$PATH" RALPH_WORKER="$RALPH_WORKER" sh -c "until [ -e $0/late ]; do sleep 0.02; done
		ralph done --summary daemon" </dev/null >"$0/daemon.out" 2>&1 &' "$LED" &
	wait
	: >"$LED/late"
	;;
T003.task) file && command ralph done ;;
esac
END
todo_bg --fresh --commit off
wait_for 60 test -s "$led/channel"
outside=(env RALPH_WORKER="$(cat "$led/channel")" "$RALPH")
for word in 'done --task T001' 'done --summary mine' 'stuck --task T001 why' 'blocked so'; do
	# shellcheck disable=SC2086 # several words
	run "${outside[@]}" $word
	exit_is 1 "an unrelated shell says $word"
	like "$err" "does not run inside the session that it speaks for, and then counts only with the --turn" "and is told why not"
done
run env -u RALPH_WORKER "$RALPH" 'done' --turn "$(token T001)"
is "$status $err" "1 ralph: error: this is for agents that ralph runs: RALPH_WORKER is not set" "without RALPH_WORKER the token alone does not reach the session"
is "$(cat "$led/channel")" "$RALPH_HOME/loops/$name/sessions/$(field "$name" '.sessions[0].id')/worker" \
	"its value is the session's socket, as doc/todo.md tells"
not_ok "it wrote no done file" test -e ai/ralph/results/T001.done.json
is "$(marks | head -n 1)" "  T001" "and nothing is ticked"
run "${outside[@]}" progress 10
exit_is 0 "progress needs no proof"
run "${outside[@]}" 'done' --turn "$(token T001)" --summary token
exit_is 0 "with the prompt's token a word is taken from there, too"
end_bg 60 "$bg"
exit_is 0 "all is done"
is "$(marks | xargs)" "x T001 x T002 x T003" "each by its word"
is "$(jq -r .summary ai/ralph/results/T00[12].done.json | xargs)" "token daemon" "a daemon of the worker's speaks for it"
is "$(facts 'select(.signal == "done") | .fact' | wc -l)" 3 "each was said once"
no_leftovers "nothing goes on"
done_testing
