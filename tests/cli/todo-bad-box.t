#!/usr/bin/env bash
# A line that is meant as a task and has no box that can be read is given to nobody; the list is not complete,
# and the end names the line and says what to do.  What is no task is left alone without a word.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
worker <<'END'
case $KIND in task) ralph done ;; esac
END
project '- [ ] T001: One' '- [] T004: Title'
todo --on-alert "cat >>$T/alerts"
exit_is 12 "a box without a blank"
unlike "$out" 'All tasks complete' "is not complete"
like "$out" $'\nWhat can be done is done; not all tasks are complete.\n1 completed in 1 iteration\nline 5 looks like a task, but cannot be read as one: begin it with \'- \\[ \\] T001: \', or remove it$' \
	"its line is named, and what to do"
like "$err" 'ai/todo\.md: line 5: .* is left alone' "it is said at once, too"
wait_for 60 said "$T/alerts" .
like "$(jq -r .text "$T/alerts")" 'line 5 looks like a task' "somebody is told"
is "$(marks)" "x T001" "the rest is done"
is "$(sed -n 5p ai/todo.md)" "- [] T004: Title" "and the line is as it was"

nbsp=$'\u00a0'
for line in '-[ ] T004: glued to its mark' '-[] T004' '*[ ] no id' '1.[ ] T004: numbered' '- [] no id' '- []T004: glued' \
	'- [  ] T004: two blanks' "- [$nbsp] T004: a blank that is none" "-${nbsp}[ ] T004: the same" '[ ] T004: no mark' \
	$'\u2022 [ ] T004: another mark' '- \[ \] T004: as an editor writes it' '    - [] T004: below another' '- [ ~ ] T004: begun'; do
	list "$line"
	todo
	is "$status $(grep -c 'line 4 looks like a task' <<<"$out") $(grep -c 'All tasks' <<<"$out")" "12 1 0" "$line"
done

# shellcheck disable=SC2016
list '- [ ]T002: glued to its box' '- [](a link) T004' '- [x ] T004: done' '-[x] T004' '[x] T004' '- [][] T004' \
	'- [] T004: later **SKIPPED**' '[ ] is an open box' 'see - [] T004' '> - [] T004' '| [] | T004 |' '`[ ] T004`' '- []byte of Go' \
	'```' '- [] T004: in code' '```' '<!-- - [] T004' '-[ ] T005 -->' '## Other' '- [] T004: not asked for'
todo
exit_is 0 "what is no task, done, put aside or elsewhere"
like "$out" 'T002 complete' "keeps nothing else"
like "$out" 'All tasks complete!$' "from being complete"
unlike "$out$err" 'looks? like' "and is not spoken of"

list '- [] T004: Four' '-[ ] T005: Five' '- [ ] no id'
todo
exit_is 12 "several of them"
like "$out" $'line 6 is open and has no id: [^\n]*, lines 4, 5 look like tasks, but cannot be read as such: begin them with ' "are named together"
sed -i 's/^- \[\]/- [ ]/; s/^-\[/- [/; /no id/d' ai/todo.md
todo
exit_is 0 "and when they are mended"
is "$(marks | paste -sd,)" "x T004,x T005" "done"
no_leftovers "nothing goes on"
done_testing
