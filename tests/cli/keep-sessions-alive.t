#!/usr/bin/env bash
# A session that lives stays on disk, however many came and went after it.
. "$(dirname "$0")/tickets.sh"

new_project untracked
ticket pt-00
does pt-00 <<'SCRIPT'
after go "$T/go"; work; close_ticket
SCRIPT
for n in {01..16}; do
	ticket "pt-$n"
	does "pt-$n" 'close_ticket'
done
does pt-16 <<'SCRIPT'
after late "$T/late"; close_ticket
SCRIPT
work_on_bg --no-worktree --untagged free --parallel 2 --keep-sessions 2
wait_for 180 said "$T/log" '^start pt-16 '
sessions=("$RALPH_HOME"/loops/*/sessions)
few() { (($(find "${sessions[0]}" -mindepth 1 -maxdepth 1 -name '*-*' | wc -l) <= 13)); }
wait_for 60 few
pass "old sessions go while others live"
first=$(cd "${sessions[0]}" && echo *-1)
ok "the one that lives stays" test -s "${sessions[0]}/$first/meta.json"
echo go >"$T/go"
wait_for 60 said "$T/log" '^end pt-00 0'
echo late >"$T/late"
end_bg 120 "$bg"
is "$status" 0 "all tickets are done"
is "$(status_of pt-00)" closed "also that of the first session"
done_testing
