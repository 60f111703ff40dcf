#!/usr/bin/env bash
# A project in two worktrees of a repository: a ticket has one loop at a time.  The second says who has it, does others
# meanwhile, and comes back when it is free: because it was done, or because who had it died.
. "$(dirname "$0")/tickets.sh"

new_project
git add . && git commit -qm project
git worktree add -q -b other "$T/work/other"
ticket pt-1
ticket pt-2 priority=3
does pt-1 <<'SCRIPT'
after "go $RALPH_WORKTREE"; work; close_ticket; commit
SCRIPT
commit_tickets
git -C "$T/work/other" merge -q --ff-only main

work_on_bg
first=$bg
wait_for 30 said "$T/log" "^start pt-1"
cd "$T/work/other" || exit 1
run_bg "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
second=$bg
wait_for 30 said "$T/log" "^end pt-2 0"
wait_for 30 said "$T/bg.$second.err" "^Progress updated"
ok "the second loop says who has it" said "$T/bg.$second.err" \
	"pt-1 is claimed by another loop: pid $first, $project, since 20.*; it is left to that one until it is free"
is "$(starts pt-1)" 1 "it does not start it"
run git -C "$T/work/other" show other:out/pt-2
exit_is 0 "it has done the other ticket meanwhile"
run "$RALPH" loop status
like "$out" "Claimed by another loop: pt-1 +\(pid $first, $project, since " "loop status names it, too"
run "$RALPH" loop --dry-run -- true
like "$out" "pt-1 is claimed by another loop: pid $first, $project, since .*; a run leaves it to that one until it is free" "and so does a dry run"
run "$RALPH" loop --dry-run --json -- true
is "$(jq -c '[.claimed[] | .ticket, .own_loop]' <<<"$out")" '["pt-1",null]' "also as JSON"
not_ok "it goes on waiting" lib_gone "$second"
echo "go $project/.tf/ralph/worktrees/pt-1" >>"$T/log"
wait_for 30 said "$T/log" "^start pt-1" 2
echo "go $T/work/other/.tf/ralph/worktrees/pt-1" >>"$T/log"
end_bg 60 "$first"
exit_is 0 "the first is done"
end_bg 60 "$second"
exit_is 0 "and so is the second, when it was its turn"
is "$(grep -c 'pt-1 is claimed' <<<"$err")" 1 "it said it once"
is "$(git show main:out/pt-1) $(git show other:out/pt-1)" "work of pt-1 work of pt-1" "each on its own branch"
is "$(git -C "$project" branch --list 'ralph/*')" "" "no branch is left"

# Who has it dies, with all of his.
cd "$project" || exit 1
ticket pt-3
does pt-3 <<'SCRIPT'
note "agent $$"; [[ $PWD == *other* ]] || exec sleep 600; work; close_ticket; commit
SCRIPT
commit_tickets
git -C "$T/work/other" merge -q main
work_on_bg
first=$bg
wait_for 30 said "$T/log" "^agent"
cd "$T/work/other" || exit 1
run_bg "$RALPH" loop -- "$T/worker" '{ticket}' '{file}'
second=$bg
wait_for 30 said "$T/bg.$second.err" "pt-3 is claimed by another loop: pid $first"
agent=$(sed -n 's/^agent //p' "$T/log")
crash "$first"
run "$RALPH" loop status
like "$out" "Claimed by another loop: pt-3 +\(pid $first," "the claim holds while the agent of a dead loop lives"
is "$(starts pt-3)" 1 "and nobody else begins with it"
keeper=$(ps -o ppid= -p "$agent" | tr -d ' ')
crash "$agent" "$keeper"
end_bg 60 "$second"
exit_is 0 "it is taken over from the dead"
is "$(git show other:out/pt-3)" "work of pt-3" "and done"
done_testing
