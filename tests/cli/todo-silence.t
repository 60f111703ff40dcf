#!/usr/bin/env bash
# A silent worker: asked, given its task again, asked; somebody is told, and then it is replaced.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One'
worker <<'END'
case $KIND in task) if once silent; then cp "$LED/T001.1.task" "$LED/first"; else done_by_tag; fi ;; esac
END
todo --inactivity-timeout "$(patience 1)" --max-nudges 3 --commit off --on-alert "cat >>$T/alerts"
exit_is 0 "the next worker does it"
is "$(texts | xargs)" "task T001 probe T001 again T001 probe T001 task T001" "probe, the task again, probe, another worker"
is "$(cut -d ' ' -f 3 "$led/log" | sort -u | wc -l)" 2 "two workers"
like "$(jq -r .text "$T/alerts")" 'T001: the agent is silent after 3 nudges' "somebody is told"
ok "the task came again as it was" cmp "$led/first" "$led/T001.3.again"
like "$(cat "$led/T001.2.probe")" 'still working on T001' "and was asked about"

# One that goes on after a nudge is not replaced, and its nudges are forgotten.
list '- [ ] T002: Two'
worker <<'END'
case $KIND in
probe) if once first; then tag PROGRESS:10; elif once second; then tag PROGRESS:20; else done_by_tag; fi ;;
esac
END
: >"$led/log"
rm -f "$T/alerts"
todo --inactivity-timeout "$(patience 1)" --max-nudges 2 --commit off --on-alert "cat >>$T/alerts"
exit_is 0 "a slow one"
is "$(cut -d ' ' -f 3 "$led/log" | sort -u | wc -l)" 1 "is not replaced"
is "$(texts | xargs)" "task T002 probe T002 probe T002 probe T002" "its nudges begin anew when it has moved"
not_ok "and nobody is told" test -e "$T/alerts"
no_leftovers "nothing goes on"
done_testing
