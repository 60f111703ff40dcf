#!/usr/bin/env bash
# A todo list, or a directory of ai, that was a link when the loop began is the user's; one that becomes a link out of
# the project while an agent works is refused, by the loop and by the agent's own command, and nothing is written
# through it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/todo.sh"

project '- [ ] T001: one'
worker <<'END'
done_by_tag
END
mv ai "$T/ai" && ln -s "$T/ai" ai
todo
exit_is 0 "a link that was there before the loop"
like "$(cat "$T/ai/todo.md")" '\[x\] T001' "is followed to the list"
ok "and to the files" test -s "$T/ai/ralph/state.json"

rm ai && cp -r "$T/ai" ai
list '- [ ] T002: two' '- [ ] T003: three'
mkdir "$T/elsewhere"
worker <<'END'
if [ "$TASK" = T002 ] && once results; then
	rm -rf ai/ralph/results; ln -s "$T/elsewhere" ai/ralph/results
	ralph done --summary s 2>"$T/done.err"; echo "$?" >"$T/done.rc"
	rm ai/ralph/results
fi
if [ "$TASK" = T002 ] && once link; then
	cp ai/todo.md "$T/theirs.md"; cp ai/todo.md "$T/kept.md"
	file
	rm ai/todo.md; ln -s "$T/theirs.md" ai/todo.md
	tag DONE
else
	done_by_tag
fi
END
todo_bg
ok "a new one is refused" \
	wait_for 30 said "$T/bg.$bg.err" "ai/todo.md leads out of the project, to $T/theirs.md, by a link"
ok "and not written to" cmp "$T/theirs.md" "$T/kept.md"
like "$(cat "$T/done.err")" "ai/ralph/results leads out of the project, to $T/elsewhere, by a link" \
	"ralph done does not write through one, either"
is "$(cat "$T/done.rc") $(ls -A "$T/elsewhere")" "1 " "and fails"
rm ai/todo.md && cp "$T/kept.md" ai/todo.md
end_bg 90 "$bg"
is "$status" 0 "put back, the loop goes on"
is "$(marks | xargs)" "x T002 x T003" "and does the rest"
done_testing
