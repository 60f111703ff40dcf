#!/usr/bin/env bash
# Every byte an agent writes is recorded.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
size=9000000 # whole lines
run "${loop[@]}" piped --max-iterations 1 -- "$AGENT" -e "flood $size some line of text"
exit_is 0 "an agent floods its pipe"
"$AGENT" -e "flood $size some line of text" >want
"$RALPH" logs --raw piped >got
ok "what is recorded is what it wrote" cmp want got
run "${loop[@]}" screen --pty --prompt-via arg --max-iterations 1 -- "$AGENT" -e "flood $size some line of text"
"$RALPH" logs --raw screen | tr -d '\r' >got
ok "also through a terminal" cmp want got
"$RALPH" logs screen >got
ok "and none of the lines gets lost in the log" cmp want got
no_leftovers "nothing goes on"
done_testing
