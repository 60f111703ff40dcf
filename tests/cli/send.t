#!/usr/bin/env bash
# ralph send types a text to the agent.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
print ready>
sh read -r line; echo "$line" >got
touch once
print more>
sh read -r line; echo "$line" >again
SCRIPT
run_bg "${loop[@]}" agent --pty --prompt-via arg --inactivity-timeout 50 --max-iterations 1 -- "$AGENT" agent.txt
wait_for 20 field_is agent '.sessions[0].pid != null' true
run "$RALPH" send agent 'please also run the linter'
exit_is 0 "it succeeds"
is "$out" "sent to agent" "and says so"
wait_for 20 test -e once
is "$(cat got)" 'please also run the linter' "the agent has it, with Enter"
run "$RALPH" send --no-enter agent 'half '
exit_is 0 "Enter can be left out"
run "$RALPH" send agent -- '- of it'
end_bg 20 "$bg"
is "$(cat again)" 'half - of it' "then more can follow, also what looks like an option"
run "$RALPH" send agent hello
exit_is 1 "there must be somebody to type to"
is "$err" "ralph: error: no agent of 'agent' is running now" "it says so"
run_bg "${loop[@]}" piped --max-iterations 1 -- "$AGENT" -e 'wait-file go'
wait_for 20 field_is piped '.sessions[0].pid != null' true
run "$RALPH" send piped hello
exit_is 1 "and it must have a terminal"
like "$err" '^ralph: error: .*(--pty|terminal)' "it says so"
touch go
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
