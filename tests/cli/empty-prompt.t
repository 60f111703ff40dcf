#!/usr/bin/env bash
# An empty prompt is allowed.
. "$(dirname "$0")/../cli/lib.sh"

: >prompt
run "${loop[@]}" agent --max-iterations 1 -- "$AGENT" -e 'read-stdin-to got'
exit_is 0 "the loop goes through"
ok "the agent got nothing" test -e got -a ! -s got
run "${loop[@]}" arg --max-iterations 1 --prompt-via arg -- "$AGENT" -e 'args args' one
is "$(wc -l <args)" 2 "an empty argument is one, too"
run "${loop[@]}" pty --pty --prompt-via paste --max-iterations 1 -- "$AGENT" -e 'print >; sh read -r x && touch entered'
ok "typed, it is just Enter" test -e entered
no_leftovers "nothing goes on"
done_testing
