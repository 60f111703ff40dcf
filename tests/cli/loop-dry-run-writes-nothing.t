#!/usr/bin/env bash
# --dry-run writes nothing at all, anywhere.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2 deps=pt-1 tags=component:ui
ticket pt-3 deps=nowhere
commit_tickets
everything() {
	(cd "$T" && find home tmp work -printf '%p %y %s %m %T@ %i\n' | sort && find home tmp work -type f -exec sha256sum {} + | sort)
}
everything >"$T/before"
run "$RALPH" loop --dry-run --parallel 2 -- "$T/worker" '{ticket}'
exit_is 0 "a dry run"
is "$(everything | diff "$T/before" -)" "" "leaves every file and directory as it was"
like "$out" 'Planned 2 tickets in 2 waves at parallel 2\.' "after it has planned all of it"
like "$out" '1 ticket blocked: pt-3 waits for nowhere, which does not exist' "and said what is blocked"
rm -rf "$RALPH_HOME"
run "$RALPH" loop --dry-run --max 1 --json -- "$T/worker" '{ticket}'
exit_is 0 "with --json and without a state home"
not_ok "none is made" test -e "$RALPH_HOME"
is "$(jq -c '[.planned, .left_over, .blocked.tickets]' <<<"$out")" '[1,["pt-2"],["pt-3"]]' "what is left over and blocked"

# Beside a loop that runs, too.
does pt-1 'after go; close_ticket; commit'
work_on_bg
wait_for 20 said "$T/log" '^start'
agent=$(agent_of project-loop)
run "$RALPH" loop --dry-run -- "$T/worker" '{ticket}'
exit_is 0 "beside a loop that runs"
like "$out" "pt-1 is in work: this project's own loop project-loop has it \\(pid $bg, $project, since .*\\)" \
	"it says that the project's own loop has the ticket"
unlike "$out" 'another loop' "and speaks of no other one"
run "$RALPH" loop --dry-run --json -- "$T/worker" '{ticket}'
is "$(jq -c '[.claimed[] | .ticket, .own_loop]' <<<"$out")" '["pt-1","project-loop"]' "also as JSON"
is "$(agent_of project-loop)" "$agent" "whose session goes on"
echo go >>"$T/log"
end_bg 30 "$bg"
ok "and whose work lands" has main out/pt-2

# A session that has ended, and that no turn has taken in yet: a dry run is not that turn.
ticket pt-4
commit_tickets
does pt-4 'after finish-now; work; close_ticket; commit'
work_on --once
wait_for 20 said "$T/log" '^start pt-4'
keeper=$(keeper_of project-loop)
echo finish-now >>"$T/log"
is_over() { ! kill -0 "$keeper" 2>/dev/null; }
wait_for 30 is_over
everything >"$T/before"
run "$RALPH" loop --dry-run -- "$T/worker" '{ticket}'
exit_is 0 "a dry run between two turns"
is "$(everything | diff "$T/before" -)" "" "leaves state, session and branch as they were"
is "$(jq -r '.active[].ticket' .tf/ralph/dispatch-loop-state.json)" pt-4 "the session still waits for its turn"
not_ok "and its work is not landed" has main out/pt-4
work_on --once
ok "which the next turn does" has main out/pt-4
done_testing
