#!/usr/bin/env bash
# An interactive agent that ralph does not know by its name gets its prompt by standard input and refuses: then it is
# said, once, what helps; and that does help.
. "$(dirname "$0")/../cli/lib.sh"

cat >wrapper <<'X'
#!/bin/sh
[ -t 0 ] || { echo "Error: stdin is not a terminal" >&2; exit 1; }
printf 'ready> '
read -r line
echo "got: $line"
X
chmod +x wrapper
echo 'do it' >prompt
hint='ALERT: the agent wants a terminal, and its prompt came by standard input; --prompt-via paste types it'
run "${loop[@]}" a --max-iterations 2 --max-failures 5 --delay 0 --on-alert 'cat >>alerts' -- ./wrapper
exit_is 11 "an agent without a terminal fails"
is "$(grep -c -e "$hint" <<<"$out$err")" 1 "once it is said what helps"
like "$(jq -r .text alerts | head -n 1)" 'wants a terminal.*--prompt-via paste' "also to whoever is alerted"
run "${loop[@]}" b --max-iterations 1 --prompt-via paste -- ./wrapper
exit_is 0 "which does"
unlike "$out$err" 'wants a terminal' "then nothing is said"

run "${loop[@]}" c --max-iterations 1 -- sh -c 'echo "stdin is not a terminal"'
unlike "$out$err" 'wants a terminal' "nor of an agent that ended well, whatever it wrote"
run "${loop[@]}" d --max-iterations 1 -- sh -c 'echo "a terminal is not stdin"; exit 1'
unlike "$out$err" 'wants a terminal' "nor of one that failed for something else"

run "$SWARM" ralph spawn --name s --prompt-file prompt --max-iterations 1 -- ./wrapper
run "$RALPH" wait s
like "$(cat "$RALPH_HOME/loops/s/journal.jsonl")" 'wants a terminal.*--prompt-via paste' "swarm says it, too"
no_leftovers "nothing goes on"
done_testing
