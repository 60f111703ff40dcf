#!/usr/bin/env bash
# ralph ls shows every loop and how it stands.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run "$RALPH" ls
exit_is 0 "no loops at all is fine"
is "$out$err" "" "and nothing to print"
run "$RALPH" ls --json
is "$out" "[]" "or an empty list"
not_ok "looking makes no state home" test -e "$RALPH_HOME"

"${loop[@]}" complete --max-iterations 1 -- true $'two\nwords' x >complete.out
"${loop[@]}" failed --max-iterations 2 --max-failures 1 -- false "$(printf 'ä%.0s' {1..100})" >failed.out 2>&1
"${loop[@]}" running --detach --max-iterations unlimited -- "$AGENT" -e 'hang' >running.out 2>&1
"${loop[@]}" crashed --detach --max-iterations 3 -- "$AGENT" -e 'hang' >crashed.out
wait_for 20 field_is crashed '.sessions[0].pid != null' true
wait_for 20 field_is running '.sessions[0].pid != null' true
crash "$(supervisor_of crashed)"

run "$RALPH" ls
exit_is 0 "it succeeds"
is "$(awk '{ print $1, $2, $3 }' <<<"$out")" "NAME STATUS ITERATION
running running 1/unlimited
crashed crashed 1/3
failed failed 1/2
complete complete 1/1" "a line for each: those that run, those that could go on, the newest of those that are over"
like "$out" "complete +complete +1/1 +max_iterations +[0-9]+[sm] +$T/work +true two\\\\x0awords x" "with its end, its age, its directory and its command"
wide() { script -qec "stty cols $1; $RALPH ls" /dev/null | tr -d '\r' | LC_ALL=C.UTF-8 wc -L; }
is "$(wide 100)" 100 "on a terminal lines are as long as it is wide"
like "$out" "false ä+\.\.\." "of which a long one is cut"
run "$RALPH" ls --format names
is "$out" "complete
crashed
failed
running" "--format names, for scripts"
run "$RALPH" ls --json
is "$(jq -c '.[] | [.name, .status, .supervised]' <<<"$out")" '["running","running",true]
["crashed","running",false]
["failed","failed",false]
["complete","stopped",false]' "--json, for programs, in the same order"
run "$RALPH" ls --format list
exit_is 2 "an unknown format is a usage error"
for name in running crashed; do
	"$RALPH" stop "$name" >>stopped
done
no_leftovers "nothing goes on"
done_testing
