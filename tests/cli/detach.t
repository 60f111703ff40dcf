#!/usr/bin/env bash
# --detach goes to the background once the loop is there.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "${loop[@]}" demo --detach --max-iterations 2 -- "$AGENT" -e 'touch started; wait-file go'
exit_is 0 "it returns"
like "$out" '^started demo in the background \(pid [0-9]+\)
  ralph status demo    ralph attach demo    ralph logs -f demo    ralph stop demo$' "and says what can be done now"
is "$err" "" "without errors"
wait_for 20 test -e started
is "$(field demo .supervised)" true "the loop runs"
pid=$(supervisor_of demo)
is "$(ps -o sid= -p "$pid" | xargs) $(ps -o tty= -p "$pid" | xargs)" "$pid ?" "in a session of its own"
is "$(readlink "/proc/$pid/fd/0")" /dev/null "with nothing of this terminal"
touch go
run "$RALPH" wait demo
exit_is 0 "wait sees its end"
is "$(spans "$(cat "$RALPH_HOME/loops/demo/console.log")")" "[ralph] demo: starting iteration 1/2
[ralph] demo: iteration 1 completed (exit: 0, duration: T)
[ralph] demo: starting iteration 2/2
[ralph] demo: iteration 2 completed (exit: 0, duration: T)
[ralph] demo: 2 iterations done" "what it said is in console.log"
run "${loop[@]}" quiet --quiet --detach --max-iterations 1 -- "$AGENT" -e 'println x'
is "$out$err" "" "with --quiet it says nothing"
run "${loop[@]}" bad --detach --max-iterations 1 --prompt-file nothing -- "$AGENT" -e 'println x'
exit_is 1 "what is wrong at the start is said here"
is "$err" "ralph: error: prompt file not found: nothing" "on this terminal"
"$RALPH" wait quiet >waited
no_leftovers "nothing goes on"
done_testing
