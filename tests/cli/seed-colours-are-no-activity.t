#!/usr/bin/env bash
# Inactivity detection: escape codes are not looked at; the same text in other colours is no change, and
# any other text is.
. "$(dirname "$0")/../cli/seed.sh"
# paint.sh ROUNDS WORD: the same word in another colour each time; without one, numbers
cat >paint.sh <<'SH'
i=0
while [ "$i" -lt "$1" ]; do
	i=$((i + 1))
	printf '\033[%dm%s\033[0m\r' "$((31 + i % 6))" "${2:-$i}"
	sleep 0.2
done
SH
echo 'sh sh paint.sh 1000 waiting' >claude.txt
run timeout -s INT 60 swarm spawn --name colours --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout 2 -- claude
like "$status $out" '^0 .*inactivity timeout \(2s\)' "a text that only changes its colour stands still"
echo 'sh sh paint.sh 20' >claude.txt
run timeout -s INT 60 swarm spawn --name words --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout 3 -- claude
like "$status $out" '^0 .*iteration 1 completed \(exit: 0' "one that changes its words does not"
no_leftovers "nothing goes on"
done_testing
