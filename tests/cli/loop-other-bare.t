#!/usr/bin/env bash
# An agent is one by its descent: with a cleared environment, from a daemon or under a wrong name it changes the status of its own
# ticket and of no other.
# shellcheck disable=SC2016 # what agents do expands in their shells
. "$(dirname "$0")/tickets.sh"

again() { cd "$T" && rm -rf "$project" "$T"/do/* "$T"/said* "$T/alerts" && : >"$T/log" && new_project untracked; }
export RALPH project
bare='bare() { (cd "$project" && env -i PATH="$PATH" HOME="$HOME" "$@" "$RALPH" tk close "$ticket" >>"$T/said" 2>&1; echo "$?" >>"$T/said.codes"); }'
bare() { does "$1" "$bare; $2"; }
alerts() { jq -r .text "$T/alerts" 2>/dev/null; }

for how in '' --no-worktree; do
	again
	ticket pt-1
	ticket pt-2
	bare pt-1 'ticket=pt-2; bare; work; ticket=pt-1; bare; commit'
	work_on ${how:+"$how"}
	exit_is 0 "all are done ${how:-in worktrees}"
	is "$(summary Completed), $(starts pt-2)" "2 (pt-1 pt-2), 1" "each by its own agent"
	is "$(paste -sd ' ' "$T/said.codes")" "1 0" "an agent without its environment may close its own ticket and no other"
	like "$(cat "$T/said")" 'pt-2 is another ticket: an agent at work on pt-1' "and is told so"
	is "$(status_of pt-1)" closed "its own is closed"
done

# A daemon, whose parents are gone, and one that says it is the other ticket's agent.
again
ticket pt-1
ticket pt-2
ticket pt-3
bare pt-1 'ticket=pt-2; (bare setsid -w & ) & wait; until [[ -s $T/said.codes ]]; do sleep 0.02; done; ticket=pt-3; bare RALPH_TICKET=pt-3 RALPH_STARTED=2020-01-01T00:00:00Z
	work; close_ticket; commit'
work_on --no-worktree
exit_is 0 "all are done"
is "$(summary Completed), $(starts pt-2) $(starts pt-3)" "3 (pt-1 pt-2 pt-3), 1 1" "each by its own agent"
is "$(paste -sd ' ' "$T/said.codes")" "1 1" "neither a daemon nor one with another's name closes them"

# An agent of another loop: nobody knows which tickets it may close, but it is no person.
again
ticket pt-1
ticket pt-2
does pt-1 'note ready; after go; work; close_ticket; commit'
work_on_bg --no-worktree --on-alert "cat >>$T/alerts"
wait_for 30 said "$T/log" '^ready'
echo x >"$T/prompt"
run "$RALPH" run --name other --max-iterations 1 --prompt-file "$T/prompt" -- env -i PATH="$PATH" HOME="$HOME" "$RALPH" tk close pt-2
exit_is 0 "an agent of another loop closes a ticket"
is "$(status_of pt-2)" closed "in the file"
echo go >>"$T/log"
end_bg 60 "$bg"
exit_is 0 "the loop is done"
like "$(alerts)" '^pt-2: the status was changed while an agent had another ticket' "it names the ticket"
like "$err" '- Put back: the status of pt-2' "and has put it back"
is "$(summary Completed), $(starts pt-2)" "2 (pt-1 pt-2), 1" "it was done by its own agent"

# A ticket of another backlog is not this loop's business.
again
ticket pt-1
mkdir -p "$T/fixture/.tickets"
sed 's/pt-1/fx-1/' .tickets/pt-1.md >"$T/fixture/.tickets/fx-1.md"
does pt-1 'cd "$T/fixture" && "$RALPH" tk close fx-1 >"$T/said" 2>&1; cd "$project"; work; close_ticket; commit'
work_on --no-worktree
exit_is 0 "its agent may close tickets elsewhere"
is "$(sed -n 's/^status: //p' "$T/fixture/.tickets/fx-1.md")" closed "as its tests might"
no_leftovers "nothing goes on"
done_testing
