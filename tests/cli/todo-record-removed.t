#!/usr/bin/env bash
# The state home is removed while a worker is led through a list: it is ended, and the list stays as it was.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"

project '- [ ] T001: one' '- [ ] T002: two'
worker <<'END'
case $KIND in task) ;; esac
END
todo_bg --commit off
wait_for 60 gets task T001
wait_for 30 rm -rf "$RALPH_HOME" 2>/dev/null
end_bg 60 "$bg"
exit_is 1 "it ends, and not with success"
like "$err" 'because its record was removed or moved away: ' "and says why"
unlike "$out$err" 'resume|goes on' "and advises nothing"
not_ok "nothing is made in the home" test -e "$RALPH_HOME"
is "$(marks)" $'  T001\n  T002' "no box is ticked"
no_leftovers "nothing goes on"
done_testing
