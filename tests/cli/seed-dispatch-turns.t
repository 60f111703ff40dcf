#!/usr/bin/env bash
# A run that is cut off goes on as the same run: the lock is its own and no stale one, its limits stay, its sessions
# are looked after, and the state is replaced whole at every step.
# shellcheck source=tests/cli/tickets.sh
. "$(dirname "$0")/tickets.sh"

new_project
lock=.tf/ralph/dispatch-loop.lock
state=.tf/ralph/dispatch-loop-state.json
for id in pt-{1..5}; do ticket "$id"; done
does pt-1 'after "go 1"; work; close_ticket; commit'
# shellcheck disable=SC2016 # for the worker
does pt-2 'kill -KILL $$'
does pt-3 'after "go 3"; work; close_ticket; commit'
does pt-4 'after "go 4"; work; close_ticket; commit'
work_on_bg --max-iterations 4 --parallel 1
wait_for 30 said "$T/log" '^start pt-1'
wait_for 30 test -s $state
run_id=$(jq -r .runId $state)
ln $state "$T/linked"
cp "$T/linked" "$T/copy"
echo 'go 1' >>"$T/log"
wait_for 60 said "$T/log" '^start pt-3'
failed() { [[ $(jq -r '.failed | join(" ")' $state) == pt-2 && $(jq -r '.active[].ticket' $state) == pt-3 ]]; }
ok "an agent that was killed has failed its ticket" wait_for 30 failed
is "$(jq -r '.completed | join(" ")' $state)" pt-1 "one that ended well has completed it"
is "$(jq -r '.active | length' $state)" 1 "neither is active any more"
like "$(jq -r '.failures[] | select(.ticket == "pt-2") | .reason' $state)" '.' "a failure has a short reason"
ok "the state was replaced, never written over" cmp "$T/linked" "$T/copy"
is "$(find .tf/ralph -maxdepth 1 -name '*state*' | wc -l)" 1 "and no other file of it is left"

crash "$bg"
is "$(jq -r .runId $lock)" "$run_id" "what was killed leaves its lock"
echo 'go 3' >>"$T/log"
wait_for 30 said "$T/log" '^end pt-3'
work_on_bg --max-iterations 50 --parallel 3
wait_for 60 said "$T/log" '^start pt-4'
is "$(jq -r .runId $state)" "$run_id" "the next call goes on with the run"
is "$(jq -r '.runId, .pid' $lock | xargs)" "$run_id $bg" "whose lock it takes"
err=$(cat "$T/bg.$bg.err")
unlike "$err" 'stale lock' "which is not called stale"
like "$err" 'maxIterations=4' "another limit is said, and does not count"
like "$err" 'parallel=1' "nor does another number of agents at once"
is "$(jq -c '[.maxIterations, .parallel]' $state)" '[4,1]' "the state keeps both"
known() { [[ $(jq -r '.completed | join(" ")' $state) == "pt-1 pt-3" ]]; }
ok "what ended while nobody looked is known" wait_for 30 known
echo 'go 4' >>"$T/log"
end_bg 60 "$bg"
is "$(starts pt-5)" 0 "no more than --max-iterations tickets are started"
is "$(starts)" 4 "and none twice"
not_ok "the state is removed, though tickets are left" test -e $state
is "$(cat $lock)" "" "and the lock is released"
done_testing
