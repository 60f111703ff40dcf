#!/usr/bin/env bash
# W7: activity anywhere on the screen counts, not only in its last rows; silence and blinking have
# a clock of their own.
. "$(dirname "$0")/../cli/seed.sh"

second=$(patience 1)
cat >work.sh <<SH
seq 1 35
for word in \$(seq 101 $((100 + 8 * second))); do
	printf '\0337\033[1;1H%s      \0338' "\$word"
	sleep 0.3
done
SH
echo 'sh . ./work.sh' >claude.txt
run swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout "$second" -- claude
exit_is 0 "an agent that changes only the first row for longer than the timeout"
like "$out" 'iteration 1 completed \(exit: 0' "is left alone"

# What the screen cannot tell.  A test that runs in silence, below the agent:
echo "sh $AGENT -e 'burn 3000'; println tested" >claude.txt # of the processor's time
run timeout -s INT 300 swarm spawn --name silent --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout 600 --stall-timeout "${second}s" -- claude
like "$status $out" '^0 .*iteration 1 completed \(exit: 0' "a silent test run that works is left alone"
# A spinner and a clock, for ever:
echo 'count starts; spinner 600000' >claude.txt
run timeout -s INT 120 swarm spawn --name spins --ralph --prompt-file ./PROMPT.md --max-iterations 2 --inactivity-timeout 60 --stall-timeout 1s -- claude
is "$status $(grep -c 'no progress (stall timeout)' <<<"$out") $(wc -l <starts)" "0 2 2" "a spinner keeps no dead agent alive"
# A row that only repeats itself:
cat >work.sh <<'SH'
while :; do printf 'waiting\r'; sleep 0.2; done
SH
echo 'sh . ./work.sh' >claude.txt
run timeout -s INT 120 swarm spawn --name repeats --ralph --prompt-file ./PROMPT.md --max-iterations 1 --inactivity-timeout 1 -- claude
like "$status $out" '^0 .*inactivity timeout \(1s\)' "bytes that change nothing are no activity"
# And whatever it does, it has its time:
cat >work.sh <<'SH'
while :; do date +%N; done
SH
echo 'sh . ./work.sh' >claude.txt
run timeout -s INT 120 swarm spawn --name endless --ralph --prompt-file ./PROMPT.md --max-iterations 1 --iteration-timeout 2s -- claude
like "$status $out" '^0 .*iteration 1 failed \(timeout after [0-9]+s\)' "there is an absolute limit for those who want it"
no_leftovers "nothing goes on"
done_testing
