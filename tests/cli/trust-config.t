#!/usr/bin/env bash
# Commands that an agent writes into the project's configuration have no effect until a person agrees.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker
config setup '"echo mine >>\"$T/setup\""'
export T
ticket t-1
does t-1 <<'END'
work; close_ticket; commit
cd "$T/work/project" || exit 1
jq '.setup = "echo setup >>\($ENV.marker)" | .verify = "echo verify >>\($ENV.marker)" | .onAlert = "echo alert >>\($ENV.marker)" |
	.completionCheck = "echo check >>\($ENV.marker); false"' .tf/ralph/config.json >"$T/new" && cp "$T/new" .tf/ralph/config.json
END
work_on
exit_is 0 "it is no reason not to land"
like "$err" 'without effect until .ralph trust.: file .*config.json completionCheck' "but said"
ticket t-2
work_on
exit_is 0 "the next loop"
not_ok "runs none of them" test -e "$marker"
is "$(cat "$T/setup")" $'mine\nmine' "but what was there before"
like "$err" 'not trusted since an agent changed it.*config\.json setup' "and says so"
like "$("$RALPH" trust --list)" "\\+ echo setup" "ralph trust shows it"

rm .tf/ralph/config.json
ticket t-3
does t-3 'work; close_ticket; commit; rm -f "$T/work/project/.tf/ralph/config.json"'
"$RALPH" loop init >/dev/null 2>&1
config setup '"echo again >>\"$T/setup\""'
work_on
is "$(tail -1 "$T/setup")" again "what a person writes between two loops counts at once"
ticket t-4
work_on
is "$(tail -n 2 "$T/setup")" $'again\nagain' "a file that an agent removes stays in effect"

run "$RALPH" trust --yes
exit_is 0 "somebody agrees to that"
ticket t-5
work_on
is "$(grep -c . "$T/setup")" 4 "then it is gone"

# Another kind of loop, and the agent of a crashed one.
echo prompt >prompt
mkdir -p .tf/ralph
run "$RALPH" run --prompt-file prompt --name r --max-iterations 1 -- sh -c \
	'echo "{\"setup\":\"echo run >>$marker\",\"sleepBetweenTickets\":0}" >.tf/ralph/config.json'
like "$err" 'without effect until .ralph trust.' "ralph run says it, too"
ticket t-6
work_on
not_ok "and the loop after it does not run it" test -e "$marker"
no_leftovers "nothing goes on"
done_testing
