#!/usr/bin/env bash
# Clients that only hold a place keep nobody from a loop for long, and nobody without a word.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
run_bg "${loop[@]}" agent --max-iterations 2 -- "$AGENT" -e 'count starts; wait-file go'
loop_pid=$bg
wait_for 20 test -s starts
cat >idlers.pl <<'SCRIPT'
use strict;
use warnings;
use IO::Socket::UNIX;
my @held;
for (1 .. 200) {
	my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or last;
	push @held, $s;
}
open my $ready, '>', 'ready' or die;
close $ready;
sleep 600;
SCRIPT
(cd "$RALPH_HOME/loops/agent" && exec perl "$OLDPWD/idlers.pl" sock) &
idlers=$!
wait_for 20 test -e "$RALPH_HOME/loops/agent/ready"
begin=$EPOCHREALTIME
run timeout 90 "$RALPH" pause agent
ok "the next command has its answer or a sentence in a few seconds" took_less 7 "$begin"
like "$status$out$err" "^(0paused ralph loop for agent|1ralph: error: .+)\$" "one of the two"
pauses() {
	"$RALPH" pause agent >paused 2>&1 && [[ $(cat paused) == *paused* ]]
}
wait_for 20 pauses && pass "soon there is room again"
is "$(field agent .status)" paused "it is paused"
kill "$idlers"
run "$RALPH" resume agent
exit_is 0 "and can be resumed"
touch go
end_bg 20 "$loop_pid"
exit_is 0 "the loop goes through"
no_leftovers "nothing goes on"
done_testing
