#!/usr/bin/env bash
# W7: activity anywhere on the screen counts, not only in its last rows.
. "$(dirname "$0")/../cli/seed.sh"

cat >work.sh <<'SH'
seq 1 35
for word in red green blue white black brown grey pink; do
	printf '\0337\033[1;1H%s      \0338' "$word"
	sleep 0.3
done
SH
echo 'sh . ./work.sh' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout 1 -- claude
exit_is 0 "an agent that changes only the first row for longer than the timeout"
like "$out" 'iteration 1 completed \(exit: 0' "is left alone"
no_leftovers "nothing goes on"
done_testing
