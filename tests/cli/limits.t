#!/usr/bin/env bash
# A usage or rate limit is waited out: it costs no iteration and no attempt, the wait can be cut
# short, and the same work goes on.  A login that does not hold, or a bill, is told, and the loop
# pauses.  In every kind of loop; graph-e02 has the loop over a graph.
. "$(dirname "$0")/tickets.sh"

# The n-th start says what line n of ./plan has, and fails; without such a line it succeeds.
cat >claude <<'X'
#!/bin/sh
cat >>seen
echo x >>starts
line=$(sed -n "$(wc -l <starts)p" plan)
[ -n "$line" ] || exit 0
printf '%s\n' "$line"
exit 1
X
chmod +x claude
echo 'do it' >prompt
says() {
	rm -f starts seen
	printf '%s\n' "$@" >plan
}

says 'API Error: Request rejected (429) · rate limit, retry after 3s'
run "${loop[@]}" a --max-iterations 1 --max-failures 1 -- ./claude -p
exit_is 0 "a limit with a time"
like "$out" 'warning: a limit stopped the agent: API Error: Request rejected' "is a warning, with the agent's words"
like "$out" 'warning: going on with the same in [0-3]s' "then it goes on"
like "$out" 'iteration 2 completed' "and succeeds"
is "$(grep -o 'starting iteration .*' <<<"$out" | xargs)" "starting iteration 1/1 starting iteration 2 (1/1)" "as an iteration that does not count"
is "$(wc -l <starts)" 2 "though only one iteration was allowed"
is "$(field a '[.total_failures, .consecutive_failures] | join(" ")')" "0 0" "and no failure is counted"

# Three hours from now, as people there write it.
there=$(TZ=Europe/Vilnius date -d '3 hours' +%H:00)
says "You've hit your session limit · resets $(date -d "$there" +%-I%P) (Europe/Vilnius)"
run_bg "${loop[@]}" b --max-iterations 1 -- ./claude -p
wait_for 20 field_is b .limited true
is "$(date -d "$(field b .hold_until)" +%H:%M -u)" "$(TZ=UTC date -u -d "TZ=\"Europe/Vilnius\" $there" +%H:%M)" "it waits until the time that was stated"
run "$RALPH" status b
like "$out" 'Waiting: a usage or rate limit, .* left' "which status counts down"
run "$RALPH" pause b
is "$(field b .limited)" null "a pause ends the wait"
run "$RALPH" resume b
end_bg 20 "$bg"
exit_is 0 "and going on begins at once"

says 'API Error: Rate limit reached' 'API Error: Rate limit reached'
run_bg "${loop[@]}" c --json --max-iterations 1 -- ./claude -p
wait_for 20 field_is c .limited true
is "$(jq -r 'select(.event == "limited") | .delay_ms' "$T/bg.$bg.out")" 60000 "without a time it is a minute"
run "$RALPH" pause c
run "$RALPH" resume c
wait_for 20 field_is c .limited true
is "$(jq -r 'select(.event == "limited") | .delay_ms' "$T/bg.$bg.out" | tail -1)" 120000 "then two"
kill -INT "$bg"
end_bg 20 "$bg"
exit_is 130 "Ctrl-C in the wait is heard at once"

says 'Not logged in · Please run /login'
run_bg "${loop[@]}" d --max-iterations 1 --on-alert 'cat >>alerts' -- ./claude -p
wait_for 20 field_is d .status paused
end=$T/bg.$bg.err
like "$(cat "$end")" "ALERT: the agent's login does not hold; log in, then resume the loop: Not logged in" "an alert says what to do"
wait_for 20 said alerts 'login does not hold'
is "$(wc -l <starts)" 1 "and nothing is tried until then"
run "$RALPH" resume d
end_bg 20 "$bg"
exit_is 0 "then it goes on"

says 'Credit balance is too low'
run_bg "${loop[@]}" e --max-iterations 1 -- ./claude -p
wait_for 20 field_is e .status paused
like "$(cat "$T/bg.$bg.err")" 'ALERT: nothing is left to pay the agent with.*Credit balance' "the same for the bill"
run "$RALPH" stop e
end_bg 20 "$bg"

# what only looks like it
says 'All 429 tests passed, rate limit included.'
run "${loop[@]}" f --max-iterations 1 -- ./claude -p
like "$out" 'iteration 1 failed \(exit: 1\)' "a number and a word are no limit"

# a prompt command is not asked again: it would name another task
says 'API Error: Rate limit reached, retry after 1s'
# shellcheck disable=SC2016 # for the command
printf '#!/bin/sh\necho x >>asked\n[ "$(wc -l <asked)" -lt 2 ] || { echo "all complete" >&2; exit 1; }\necho "Your task: T-1"\n' >next
chmod +x next
run "$RALPH" run --name g --prompt-command ./next --delay 0 --json -- ./claude -p
exit_is 0 "a prompt command"
is "$(jq -r 'select(.event == "started") | .task' <<<"$out" | xargs)" "T-1 T-1" "its prompt goes to the next agent"
is "$(wc -l <asked)" 2 "without asking for it again"

# an interactive claude shows it on its screen and writes it down; it does not end by itself
cat >interactive.sh <<'X'
#!/bin/bash
printf '%s\n' "$@" >args
while [ $# -gt 0 ]; do [ "$1" = --session-id ] && id=$2; shift; done
dir=$HOME/.claude/projects/${PWD//[^A-Za-z0-9]/-}
mkdir -p "$dir"
printf 'Claude Code v2.1\n> '
read -r line
echo '{"type":"user","message":{"role":"user","content":"do it"}}' >"$dir/$id.jsonl"
[ -e once ] && { echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"All is done"}]}}' >>"$dir/$id.jsonl"; sleep 1000; }
touch once
echo '{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","content":[{"type":"text","text":"You'"'"'ve hit your session limit, retry after 1s"}]}}' >>"$dir/$id.jsonl"
sleep 1000
X
mkdir tui
mv interactive.sh tui/claude
chmod +x tui/claude
run "${loop[@]}" i --max-iterations 1 --done-pattern 'All is done' --inactivity-timeout 30 --grace 1s -- ./tui/claude
exit_is 0 "an interactive agent at its limit"
like "$out" "warning: a limit stopped the agent: You've hit your session limit" "is known by what it writes down"
like "$out" 'done pattern matched' "and the next one goes on"

# on a terminal the seconds go by
says "API Error: Rate limit reached, retry after $(patience 2)s"
run script -qec "$(printf '%q ' "${loop[@]}" h --max-iterations 1 -- ./claude -p)" /dev/null
like "$out" 'waiting for the limit to pass: [0-9]+s' "on a terminal the wait is counted down"

# tickets
new_project
config maxIterationsPerTicket 1
ticket pt-1
does pt-1 <<'SCRIPT'
if [[ ! -e $T/once ]]; then touch "$T/once"; echo 'error: rate limit exceeded, retry after 1s' >&2; exit 1; fi
work; close_ticket; commit
SCRIPT
work_on
exit_is 0 "a ticket whose agent met a limit"
is "$(starts pt-1)" 2 "is gone on with, though it has one attempt"
ok "and lands" has main out/pt-1
no_leftovers "nothing goes on"
done_testing
