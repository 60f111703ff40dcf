#!/usr/bin/env bash
# ralph logs prints what the agents wrote, as text that cannot harm a terminal.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
cat >agent.txt <<'SCRIPT'
sh echo "this is iteration $RALPH_ITERATION"
err to stderr
colour green
printf tab\tand \e]0;title\x07bell\x07 \xff\n
half no newline
SCRIPT
"${loop[@]}" piped --max-iterations 2 -- "$AGENT" agent.txt >piped.out
run "$RALPH" logs piped
exit_is 0 "it succeeds"
is "$(sort <<<"$out")" "$(sort <<<"this is iteration 2
to stderr
green
tab	and bell \xff
no newline")" "the latest agent's words, without escape sequences and control characters"
run "$RALPH" logs -i 1 piped
like "$out" 'this is iteration 1' "or an earlier one's"
run "$RALPH" logs --lines 1 piped
is "$out" "no newline" "or only the last lines"
run "$RALPH" logs -n 99 piped
is "$(wc -l <<<"$out")" 5 "of which there may be fewer"
"$RALPH" logs --raw piped >raw
ok "or the bytes as they are" grep -aq "$(printf '\033\\[1;32m\|\033\\[')" raw
run "$RALPH" logs -i 7 piped
exit_is 1 "an iteration that was not is an error"
like "$err" "^ralph: error: there is no recording" "that says so"

cat >screen.txt <<'SCRIPT'
sh for i in $(seq 1 60); do echo "line $i"; done
printf first\rlast!\n
spinner 200
printf \rdone       \n
SCRIPT
"${loop[@]}" screen --pty --max-iterations 1 -- "$AGENT" screen.txt >screen.out
run "$RALPH" logs screen
is "$out" "$(seq -f 'line %g' 1 60)
last!
done" "of a terminal: what scrolled off, then the screen"
no_leftovers "nothing goes on"
done_testing
