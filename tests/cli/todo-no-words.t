#!/usr/bin/env bash
# A question or an obstacle without words is "unknown", wherever it is told; no sentence ends with a colon.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Asks nothing' '- [ ] T002: Is blocked by nothing' '- [ ] T003: Says so by the command'
worker <<'END'
case $TASK.$KIND in
T001.*) tag 'STUCK:' ;;
T002.task) tag BLOCKED ;;
T003.task) ralph blocked '' ;;
esac
END
todo --max-interventions 1 --help-command "cat >$T/asked; echo \"\$RALPH_QUESTION\" >>$T/asked; echo no idea" \
	--on-alert "cat >>$T/alerts"
exit_is 11 "none is done"
is "$(head -1 "$T/asked" | jq -r .question) $(tail -1 "$T/asked")" "unknown unknown" "the help command is asked that"
like "$(cat "$led/T001.2.help")" '> unknown' "and so is the worker told"
is "$(jq -r .text "$T/alerts")" "T001 is blocked: stuck after 1 intervention: unknown
T002 is blocked: unknown
T003 is blocked: unknown
3 of 3 tasks failed" "the alerts say so"
is "$(jq -r '.interventions[0].question' ai/ralph/state.json)" unknown "and state.json"
is "$(facts 'select(.fact == "signalled" and (.signal == "stuck" or .signal == "blocked")) | .text' | sort -u)" unknown "and the facts"
like "$(grep T002 ai/todo.md)" '\*\*BLOCKED\*\* - unknown$' "and the list"
like "$out" 'T002 is blocked: unknown' "and the console"
unlike "$out$err$(cat ai/ralph/activity.md)" ': *('$'\n''|$)' "nothing ends with a colon"
no_leftovers "nothing goes on"
done_testing
