#!/usr/bin/env bash
# Ending a session ends its whole process tree, whatever it does to get away.
. "$(dirname "$0")/../cli/lib.sh"

echo 'do it' >prompt
# An agent that exits leaves children and daemons behind; the next one starts without them.
cat >agent.txt <<'SCRIPT'
when-iteration 1 fork-child child
when-iteration 1 fork-daemon daemon
when-iteration 1 wait-file child
when-iteration 1 wait-file daemon
when-iteration 2 sh for f in child daemon; do kill -0 $(cat $f) 2>/dev/null && touch alive; done; touch looked
SCRIPT
for mode in pipe pty; do
	rm -f child daemon alive looked
	run "${loop[@]}" "left-$mode" --$mode --grace 5s --max-iterations 2 -- "$AGENT" agent.txt
	exit_is 0 "$mode: an agent leaves children and a daemon behind"
	ok "$mode: they are gone afterwards" gone "$(cat child)" "$(cat daemon)"
	ok "$mode: before the next agent" test -e looked -a ! -e alive
done

# One that ignores SIGTERM, with children that do.
for mode in pipe pty; do
	rm -f child daemon deaf
	run_bg "${loop[@]}" "deaf-$mode" --$mode --grace 300ms --max-iterations 1 -- \
		"$AGENT" -e 'ignore TERM; ignore HUP; fork-child child; fork-daemon daemon; wait-file child; wait-file daemon; touch deaf; hang'
	wait_for 20 test -e deaf
	wait_for 20 field_is "deaf-$mode" '.sessions[0].pid != null' true
	agent=$(agent_of "deaf-$mode")
	run "$RALPH" stop "deaf-$mode"
	exit_is 0 "$mode: an agent that ignores SIGTERM can be stopped"
	ok "$mode: after the grace nothing of it is left" gone "$agent" "$(cat child)" "$(cat daemon)"
	end_bg 20 "$bg"
done

# One that forks all the time.
cat >rabbit <<'SCRIPT'
#!/bin/bash
trap '' TERM HUP
for ((i = 0; i < 200; i++)); do
	(setsid sleep 1000 &)
done
touch bred
sleep 1000
SCRIPT
chmod +x rabbit
run_bg "${loop[@]}" rabbit --grace 300ms --max-iterations 1 -- ./rabbit
wait_for 30 test -e bred
run "$RALPH" stop rabbit
exit_is 0 "two hundred daemons are no problem"
end_bg 20 "$bg"
no_leftovers "nothing goes on"
done_testing
