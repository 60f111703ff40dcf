#!/usr/bin/env bash
# An open task without an id can be given to nobody, and a list that has one is not complete: the end
# names its line and says what to do.  Ticked, skipped, deferred and delayed ones are none.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: One' '- [ ] something else' '- [x] done by hand' '- [ ] T00x: almost an id' \
	'- [ ] later **SKIPPED**' '## Other' '- [ ] not asked for'
worker <<'END'
case $KIND in task) ralph done ;; esac
END
todo --on-alert "cat >>$T/alerts"
exit_is 12 "what nobody can be given is left"
unlike "$out" 'All tasks complete' "that is not complete"
like "$out" $'\nWhat can be done is done; not all tasks are complete.\n1 completed in 1 iteration\nlines 5, 7 are open and have no id: give them one \\(such as T001\\), or tick them$' \
	"its lines are named, and what to do"
wait_for 60 said "$T/alerts" .
like "$(jq -r .text "$T/alerts")" 'lines 5, 7 are open and have no id' "somebody is told"
is "$(jq -r .status ai/ralph/state.json)" stopped "nor does the state say so"
is "$(marks | head -n 1)" "x T001" "the rest is done"

list '- [ ] without an id'
todo
exit_is 12 "a list that has nothing else"
like "$out" $'line 4 is open and has no id: give it one \\(such as T001\\), or tick it$' "says the same"

sed -i 's/without/T002: with/' ai/todo.md
todo
exit_is 0 "with an id it is done"
like "$out" 'All tasks complete!$' "and then all is"

printf -- '- [ ] T003: Three\n## Delayed\n- [ ] some day\n' >ai/todo.md
todo
exit_is 0 "what is delayed is put aside"
no_leftovers "nothing goes on"
done_testing
