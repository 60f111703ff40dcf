#!/usr/bin/env bash
# A worker on pipes cannot be answered while it runs: the answer is in the prompt of its next attempt, and
# so is what our own check said.  A question costs neither an attempt nor an iteration, but the same one
# is answered only so often.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks twice' '- [ ] T002: Is done'
worker <<'END'
has() { grep -q "$1" "$LED/$TASK.1.task"; }
case $TASK.$KIND in
T001.task)
	cp "$LED/T001.1.task" "$LED/prompt.$(ls "$LED" | grep -c '^prompt')"
	if has 'answer to <What colour'; then echo all >all.txt; ralph done --summary all
	elif has 'answer to <Which port'; then tag 'STUCK:What colour?'
	else echo half >half.txt; ralph stuck 'Which port?'; fi
	;;
T002.task) ralph done --summary two ;;
esac
END
todo --pipe --max-iterations 2 --help-command "echo \"answer to <\$RALPH_QUESTION>\"; echo \"\$RALPH_QUESTION\" >>$T/asked"
exit_is 0 "all is done, within two iterations"
is "$(texts | xargs)" "task T001 task T001 task T001 task T002" "the task is given again after each question"
is "$(marks | xargs)" "x T001 x T002" "both are marked"
is "$(git show --name-only --format=%s HEAD | xargs)" "T001: all all.txt half.txt" "with the work of all attempts"
unlike "$(cat "$led/prompt.0")" 'Earlier Attempts' "the first is told nothing"
like "$(cat "$led/prompt.1")" '## Earlier Attempts
.*
> Which port\?

## Answer

answer to <Which port\?>' "the second gets the answer"
like "$(cat "$led/prompt.2")" 'answer to <Which port\?>.*answer to <What colour\?>' "the third both"
is "$(xargs <"$T/asked")" "Which port? What colour?" "each is asked for once"
is "$(grep -A 3 '^### Intervention' ai/ralph/activity.md | grep Reason)" '**Reason:** Which port?
**Reason:** What colour?' "activity.md has both"
is "$(jq -c '[.interventions[] | [.task_id, .question, .count]]' ai/ralph/state.json)" \
	'[["T001","Which port?",1],["T001","What colour?",1]]' "and the state"
like "$out" 'T001: the worker has no terminal; its next attempt gets the answer' "it is said"

# The same question again and again ends.
list '- [ ] T003: Asks for ever' '- [ ] T004: Done'
worker <<'END'
case $TASK in T003) ralph stuck 'Why?' ;; T004) ralph done ;; esac
END
: >"$led/log"
todo --pipe --help-command 'echo because'
exit_is 11 "who asks for ever"
is "$(texts | xargs)" "task T003 task T003 task T003 task T003 task T004" "is answered three times"
is "$(grep -A 1 '^\*\*Reason:\*\* Why?' ai/ralph/activity.md | grep Count | xargs)" "**Count:** 1 **Count:** 2 **Count:** 3" \
	"each with a block of its own, however fast"
like "$(grep T003 ai/todo.md)" '^- \[~\].*\*\*BLOCKED\*\* - stuck after 3 interventions: Why\?' "and then blocked"

# What the check said is for the next one, too.
list '- [ ] T005: Forgets something'
worker <<'END'
if grep -q 'fixed.txt is missing' "$LED/T005.1.task"; then echo x >fixed.txt; fi
ralph done --summary five
END
: >"$led/log"
todo --pipe --verify 'test -e fixed.txt || { echo fixed.txt is missing; exit 1; }'
exit_is 0 "what was refused"
is "$(texts | xargs)" "task T005 task T005" "is repaired in the next attempt"
no_leftovers "nothing goes on"
done_testing
