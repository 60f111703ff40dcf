#!/usr/bin/env bash
# W21: what workers print is kept for every attempt, and the attach hint works.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
does pt-1 <<'SCRIPT'
echo "this is attempt $RALPH_ATTEMPT"
[[ $RALPH_ATTEMPT -gt 1 ]] || exit 1
note waiting; after go; close_ticket; commit
SCRIPT
config maxIterationsPerTicket 2
work_on_bg --name work
wait_for 20 said "$T/log" '^waiting'
run "$RALPH" logs --iteration 1 work
like "$out" 'this is attempt 1' "the first attempt's output is there while the second runs"
run "$RALPH" logs --iteration 2 work
like "$out" 'this is attempt 2' "so is the second's"
hint=$(sed -n 's/^  attach: //p' "$T/bg.$bg.err" | tail -n 1)
like "$hint" '^ralph attach [a-z]+-[a-z]+$' "the hint is a command"
shows() { [[ $(attached "$1") == *"$2"* ]]; }
ok "which shows the agent" wait_for 20 shows "${hint##* }" 'this is attempt 2'
echo go >>"$T/log"
end_bg 30 "$bg"
is "$status" 0 "then it is done"
done_testing
