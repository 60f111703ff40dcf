#!/usr/bin/env bash
# Where all agents share one directory of tickets, what one of them closes by hand is not done: it is put back, named and
# worked on.  What a person says with our command stays.
# shellcheck disable=SC2016 # what agents do expands in their shells
. "$(dirname "$0")/tickets.sh"

again() { cd "$T" && rm -rf "$project" "$T"/do/* "$T/alerts" "$T/closed" && : >"$T/log" && new_project untracked; }
dir=$project/.tickets
export RALPH dir
close_by_hand='by_hand() { local id; for id; do sed -i "s/^status: .*/status: closed/" "$dir/$id.md"; done; }'
by_hand() { does "$1" "$close_by_hand; $2"; }
alerts() { jq -r .text "$T/alerts" 2>/dev/null; }

again
ticket pt-1
ticket pt-2
ticket pt-3 status=in_progress
ticket pt-4 status=closed
by_hand pt-1 'work; by_hand pt-1 pt-2 pt-3; sed -i "s/^status: .*/status: open/" "$dir/pt-4.md"
	"$RALPH" tk close "$("$RALPH" tk create "Made on the way")"; echo "A note." >>"$dir/pt-2.md"; commit'
work_on --on-alert "cat >>$T/alerts"
exit_is 0 "all are done"
is "$(summary Completed)" "3 (pt-1 pt-2 pt-3)" "each by its own agent"
is "$(starts pt-2) $(starts pt-3) $(starts pt-4)" "1 1 0" "and not by the one that closed or opened them"
like "$out" "$sigil" "then it is complete"
like "$(alerts)" 'the status was changed while an agent had another ticket, and not by .ralph tk.: put back' "somebody is told"
is "$(alerts | grep -o 'pt-[0-9]' | sort | paste -sd,)" "pt-2,pt-3,pt-4" "of each of them, once"
like "$err" '- Put back: the status of pt-2, pt-3, pt-4' "at the end, too"
unlike "$err" 'Closed or removed by others' "nothing else is"
is "$(status_of pt-4)" closed "what was closed is closed again"
is "$(tail -n 1 .tickets/pt-2.md)" "A note." "notes stay"
is "$(grep -l 'Made on the way' .tickets/*.md | xargs sed -n 's/^status: //p')" closed "and what the agent made itself is as it left it"

# In the project itself.
again
ticket pt-1
ticket pt-2
by_hand pt-1 'work; by_hand pt-1 pt-2'
work_on --no-worktree
exit_is 0 "the same without worktrees"
is "$(summary Completed), $(starts pt-2)" "2 (pt-1 pt-2), 1" "each has its agent"

# What depends on it does not begin either.
again
ticket pt-1
ticket pt-2 tags=component:a
ticket pt-3 deps=pt-2
config parallelWorkers 2
by_hand pt-1 'by_hand pt-2; after "end pt-2"; work; close_ticket; commit'
does pt-2 'sleep 1; work; close_ticket; commit'
work_on --parallel 2
exit_is 0 "several at once"
is "$(summary Completed)" "3 (pt-1 pt-2 pt-3)" "all are done"
like "$(grep -n 'end pt-2\|start pt-3' "$T/log" | paste -sd,)" 'end pt-2.*start pt-3' "in their order"

# A person's word.
again
ticket pt-1
ticket pt-2
ticket pt-3 status=closed
ticket pt-4
does pt-1 'note ready; after go; work; close_ticket; commit'
work_on_bg --on-alert "cat >>$T/alerts"
wait_for 30 said "$T/log" '^ready'
ok "a person closes a ticket meanwhile" "$RALPH" tk close pt-2
ok "opens another one" "$RALPH" tk reopen pt-3
ok "and says that one is begun" "$RALPH" tk start pt-4
echo go >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "that is his right"
is "$(status_of pt-2) $(starts pt-2) $(starts pt-3)" "closed 0 1" "it stays as he said"
unlike "$(alerts)" 'put back' "nothing is put back"
like "$err" 'Closed or removed by others: pt-2' "it is named at the end"
like "$out" "$sigil" "the rest is complete"

# Where there is no git at all.
again
rm -rf .git
ticket pt-1
ticket pt-2
ticket pt-3
by_hand pt-1 'by_hand pt-3; note ready; after go; work; close_ticket'
does pt-3 'work; close_ticket'
run_bg "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
wait_for 30 said "$T/log" '^ready'
ok "without git, too, a person closes a ticket" "$RALPH" tk close pt-2
echo go >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "the rest is worked through"
is "$(summary Completed)" "2 (pt-1 pt-3)" "also what an agent closed"
is "$(starts pt-2)" 0 "but not what the person did"

# Two loops over one directory: what the other one has, and has done, is left to it.
again
git add . && git commit -qm project
git worktree add -q -b other "$T/work/other"
ln -s "$dir" "$T/work/other/.tickets"
ticket pt-1
ticket pt-2
does pt-1 'after "end pt-2"; after go; work; close_ticket; commit'
does pt-2 'close_ticket; note closed; after now; work; commit'
work_on_bg
first=$bg
wait_for 30 said "$T/log" '^start pt-1'
cd "$T/work/other" || exit 1
run_bg "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
second=$bg
wait_for 30 said "$T/log" '^closed'
echo now >>"$T/log"
wait_for 30 said "$T/bg.$second.err" 'pt-2: COMPLETE'
echo go >>"$T/log"
end_bg 60 "$first"
exit_is 0 "the first is done with its own"
unlike "$err" 'put back' "it does not touch what the other one has closed"
like "$err" 'Closed or removed by others: pt-2' "it names it"
end_bg 60 "$second"
exit_is 0 "and so is the second"
unlike "$err" 'put back' "which does not touch the first one's"
is "$(starts pt-1) $(starts pt-2)" "1 1" "each was done once"
cd "$project" && git worktree remove --force "$T/work/other"

# A ticket that is gone cannot be put back, and nobody did it.
again
ticket pt-1
ticket pt-2
does pt-1 'rm "$dir/pt-2.md"; work; close_ticket; commit'
work_on
exit_is 11 "what was removed while an agent worked was never done"
unlike "$out" "$sigil" "it is not complete"
like "$err" 'Closed or removed by others: pt-2' "it is named"
ok "and the end is" progress_says '^- Status: INCOMPLETE'

# The supervisor is killed, and it goes on happening.
again
ticket pt-1
ticket pt-2
ticket pt-3
ticket pt-4
by_hand pt-1 'by_hand pt-2; note first; after killed; by_hand pt-3; work; close_ticket; commit'
work_on_bg
wait_for 30 said "$T/log" '^first'
crash "$bg"
rm -f "$T/bg.$bg.err"
ok "a person closes one while no supervisor lives" "$RALPH" tk close pt-4
echo killed >>"$T/log"
wait_for 30 said "$T/log" '^end pt-1'
work_on --on-alert "cat >>$T/alerts"
exit_is 0 "the next one goes on"
is "$(summary Completed)" "3 (pt-1 pt-2 pt-3)" "all are done by their agents"
is "$(starts pt-2) $(starts pt-3) $(starts pt-4)" "1 1 0" "but for what the person closed"
like "$err" "ALERT: .*pt-3.*put back" "what was closed while nobody looked is named"

# One pass at a time.
again
ticket pt-1
ticket pt-2
by_hand pt-1 'by_hand pt-2; note first; after go; work; close_ticket; commit'
# It stays until it was seen to have begun: a pass that finds it done would end the run.
does pt-2 'after seen; work; close_ticket; commit'
work_on --once
wait_for 30 said "$T/log" '^first'
echo go >>"$T/log"
wait_for 30 said "$T/log" '^end pt-1'
once() { work_on --once; [[ $(starts pt-2) == 1 ]]; }
wait_for 60 once
echo seen >>"$T/log"
wait_for 30 said "$T/log" '^end pt-2'
work_on
exit_is 0 "pass after pass it is the same"
is "$(summary Completed)" "2 (pt-1 pt-2)" "each is done by its agent"
no_leftovers "nothing goes on"
done_testing
