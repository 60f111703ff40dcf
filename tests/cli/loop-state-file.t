#!/usr/bin/env bash
# dispatch-loop-state.json has the documented members while a run is under way, and is removed at its end.
. "$(dirname "$0")/tickets.sh"

new_project
state=.tf/ralph/dispatch-loop-state.json
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
does pt-2 exit 1
does pt-3 'after go; work; close_ticket; commit'
work_on_bg --max 9 --parallel 1
wait_for 20 said "$T/log" '^start pt-3'
active() { [[ $(jq -r '.active | length' $state) == 1 && $(jq -r '.active[].ticket' $state) == pt-3 ]]; }
wait_for 20 active
is "$(jq -c '[.version, .maxIterations, .parallel, .startedCount]' $state)" '[1,9,1,3]' "version, limits and count"
is "$(jq -r '.completed[0] | if type == "object" then .ticket else . end' $state)" pt-1 "completed"
is "$(jq -r '.failed[0] | if type == "object" then .ticket else . end' $state)" pt-2 "failed"
like "$(jq -r .runId $state)" '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$' "runId is a UUID"
like "$(jq -r .startedAt $state)" '^20..-..-..T..:..:.*Z$' "startedAt"
is "$(jq -r '.active | keys[0]' $state)" "$(sed -n 's/.*pt-3\.\.\. session=//p' "$T/bg.$bg.err")" \
	"active is keyed by the session's friendly name"
like "$(jq -r '.active[].startedAt' $state)" '^20..-..-..T..:..:.*Z$' "with its own startedAt"
is "$(jq -c '[.sessions[] | [.ticket_id, .status]] | sort' .tf/ralph/dispatch-sessions.json)" \
	'[["pt-1","completed"],["pt-2","failed"],["pt-3","running"]]' "dispatch-sessions.json has all of them"
echo go >>"$T/log"
end_bg 30 "$bg"
not_ok "it is removed at the end" test -e $state

# The usual place of a worktree may be somebody else's.
mkdir -p .tf/ralph/worktrees/pt-4
echo "the user's" >.tf/ralph/worktrees/pt-4/mine
ticket pt-4
does pt-4 'after again; work; close_ticket; commit'
place=$project/.tf/ralph/worktrees/pt-4-2
named() {
	[[ $(jq -r '.active[].worktree' $state) == "$1" &&
		$(jq -r '.sessions[] | select(.ticket_id == "pt-4") | .worktree_path' .tf/ralph/dispatch-sessions.json) == "$1" ]]
}
work_on_bg --name work
wait_for 30 said "$T/log" '^start pt-4'
ok "a worktree beside the usual place has its own path" wait_for 20 named "$place"
crash "$bg"
rm .tf/ralph/dispatch-sessions.json
work_on_bg
ok "also for a supervisor that comes later" wait_for 30 named "$place"
echo again >>"$T/log"
end_bg 60 "$bg"
is "$(starts pt-4)" 1 "the agent was one"
is "$(cat .tf/ralph/worktrees/pt-4/mine)" "the user's" "and what was there stays"
done_testing
