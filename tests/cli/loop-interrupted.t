#!/usr/bin/env bash
# SIGINT: no new starts, the workers' trees are ended, the work is kept, and the next call goes on.
. "$(dirname "$0")/tickets.sh"

new_project
for id in pt-1 pt-2 pt-3; do ticket "$id"; done
for id in pt-1 pt-2; do
	does "$id" <<'SCRIPT'
work "half of $id"; sleep 600 & echo $! >>"$T/pids"; note "ready $id"; hang
SCRIPT
done
work_on_bg --parallel 2 --grace 0.5
wait_for 20 said "$T/log" '^ready' 2
kill -INT "$bg"
end_bg 30 "$bg"
is "$status" 130 "ended by SIGINT"
is "$out" "" "without a promise"
# shellcheck disable=SC2046 # one word a pid
ok "the workers' children are gone" gone $(cat "$T/pids")
no_leftovers "so is everything else"
is "$(starts pt-3)" 0 "nothing was started meanwhile"
for id in pt-1 pt-2; do
	if kept "half of $id" || grep -rqs "half of $id" .tf/ralph/worktrees; then
		pass "the work of $id is there"
	else
		fail "the work of $id is there"
	fi
	does "$id" 'work "all of it"; close_ticket; commit'
done
work_on
exit_is 0 "ralph loop goes on"
is "$(summary Completed | grep -oE 'pt-[123]' | sort | xargs)" "pt-1 pt-2 pt-3" "with all of them"
ok "what was interrupted can still be found, though the next worker wrote over it" kept "half of pt-1"
done_testing
