#!/usr/bin/env bash
# What an agent leaves that has killed its own keeper is ended before the next one starts.
# shellcheck disable=SC2016,SC2046 # variables are for other shells; pids are words
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/stray.sh"

echo 'do it' >prompt
run "${loop[@]}" agent --max-iterations 3 --max-failures 2 -- "$stray" "$PWD/place"
exit_is 1 "agents kill their keepers until the loop gives up"
is "$(wc -l <place/daemons)" 2 "each has left a daemon"
ok "nothing of them is left" gone $(<place/daemons)
not_ok "nor was anything when the next one started" test -e place/alive

# What a command of the user's own leaves is his.
cat >alarming <<SCRIPT
#!/bin/bash
printf '%s\n' $(printf 'a%.0s' {1..60})b $(printf 'a%.0s' {1..60})b
until [[ -s guests ]]; do sleep 0.02; done
exec "$stray" "$PWD/later"
SCRIPT
chmod +x alarming
run "${loop[@]}" alerted --max-iterations 1 --done-pattern '(a|aa)+$' \
	--on-alert 'setsid sleep 94 >/dev/null 2>&1 & echo $! >>guests' -- ./alarming
like "$err" 'ALERT: done pattern is too expensive' "a loop whose alert command leaves a process"
ok "the agent's daemon is gone" gone "$(<later/daemon)"
not_ok "the process that the user's command left is not" gone "$(head -n 1 guests)"
kill $(<guests)
no_leftovers "nothing goes on"
done_testing
