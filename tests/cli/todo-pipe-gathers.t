#!/usr/bin/env bash
# Without a command that answers, a worker on pipes gets what the project itself knows, in the prompt of
# its next attempt.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks'
mkdir src
echo page >src/login_page.c
git add src
git commit -qm src
worker <<'END'
if grep -q 'Earlier Attempts' "$LED/T001.1.task"; then
	cp "$LED/T001.1.task" "$LED/prompt"
	ralph done --summary one
else
	ralph stuck 'Which file has the login page?'
fi
END
todo --pipe
exit_is 0 "the task is done"
is "$(texts | xargs)" "task T001 task T001" "in its second attempt"
like "$(cat "$led/prompt")" '> Which file has the login page\?

## Context
.*
- src/login_page.c
.*Begin with src/login_page.c' "which begins with the answer"
done_testing
