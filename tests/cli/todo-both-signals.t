#!/usr/bin/env bash
# A task is complete by both signals only: the tag, and a done file of this turn.  Without the file the
# worker has two seconds, is reminded once, and then each time counts as an intervention.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Forgets the file' '- [ ] T002: Never writes it'
worker <<'END'
case $TASK.$KIND in
T001.task | T002.task | T002.reminder) tag DONE ;;
T001.reminder) ralph done --summary 'at last' ;;
esac
END
todo --commit off --max-interventions 1 --on-alert "cat >>$T/alerts"
exit_is 11 "one is not complete"
is "$(texts | grep -v clear | xargs)" \
	"task T001 reminder T001 task T002 reminder T002 reminder T002" \
	"who lacks the file is reminded"
like "$(cat "$led/T001.2.reminder")" 'ralph done --turn [a-z0-9]{8} --summary .*T001\.done\.json' "and told what to run"
is "$(marks | xargs)" "x T001 ~ T002" "the marks"
like "$(grep T002 ai/todo.md)" '\*\*BLOCKED\*\* - stuck after 1 intervention' "with the reason"
like "$(cat "$T/alerts")" 'T002 is blocked' "somebody is told"

# How long it waits: two seconds from the word to the reminder.
waited=$(facts 'select(.fact == "signalled" and .signal == "done" or .fact == "checked") | [.fact, .at[0]] | @tsv' |
	awk '$1 == "signalled" { from = $2 } $1 == "checked" && !n++ { print int(($2 - from) / 1e8) }')
ok "two seconds, no longer (${waited}00 ms)" test "$waited" -ge 20 -a "$waited" -lt $((20 + $(patience 15)))

# The file alone is no word.
list '- [ ] T006: Says nothing'
worker <<'END'
case $TASK.$KIND in
T006.task) file && : >"$LED/written" ;;
T006.probe) tag DONE ;;
esac
END
: >"$led/log"
todo --commit off --inactivity-timeout "$(patience 1)"
exit_is 0 "a file without the word"
is "$(texts | xargs)" "task T006 probe T006" "is not believed before the worker says so"
no_leftovers "nothing goes on"
done_testing
