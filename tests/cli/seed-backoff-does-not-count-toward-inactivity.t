#!/usr/bin/env bash
# Edge case: Backoff timer does not count toward inactivity timeout.
. "$(dirname "$0")/../cli/seed.sh"

echo 'count starts; when-iteration 1 exit 1; when-iteration 2 exit 1; println fine' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 3 --inactivity-timeout 1 -- claude
exit_is 0 "backoffs of 1 s and 2 s with an inactivity timeout of 1 s"
unlike "$out" 'inactivity' "nothing is taken for inactive"
not_ok "nor in the log" said "$(log_of agent)" TIMEOUT
mapfile -t at < <(cut -d ' ' -f 3 starts)
ok "the backoff was waited for in full" test $((at[2] - at[1])) -ge 2000000000
no_leftovers "nothing goes on"
done_testing
