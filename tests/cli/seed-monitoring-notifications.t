#!/usr/bin/env bash
# Human monitoring: Notifications.
# shellcheck disable=SC2015,SC2162 # the lines are the documented ones
. "$(dirname "$0")/../cli/seed.sh"

cat >"$T/bin/notify-send" <<'SCRIPT'
#!/bin/sh
echo "$*" >>"$T/notified"
SCRIPT
chmod +x "$T/bin/notify-send"
echo 'when-iteration 3 println All tasks complete' >claude.txt
# Wrap the spawn, as it is documented; the pattern makes it end before the hundredth iteration.
swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations 100 --done-pattern complete -- claude >out 2>err \
  && notify-send "Ralph complete" \
  || notify-send "Ralph failed"
is "$(cat "$T/notified")" "Ralph complete" "a loop that completes"
rm "$T/notified"
echo 'exit 1' >claude.txt
swarm spawn --name bad --ralph --prompt-file ./PROMPT.md --max-iterations 100 --max-failures 1 -- claude >out 2>err \
  && notify-send "Ralph complete" \
  || notify-send "Ralph failed"
is "$(cat "$T/notified")" "Ralph failed" "a loop that fails"
rm "$T/notified"

# Or monitor the iteration log.
echo 'count starts; when-iteration 1 wait-file go; when-iteration 1 exit 1' >claude.txt
run swarm spawn --name watched --detach --ralph --prompt-file ./PROMPT.md --max-iterations 2 -- claude
wait_for 20 agents 1
tail -f ~/.swarm/ralph/watched/iterations.log | grep --line-buffered "FAIL\|complete" | while read line; do
  notify-send "Ralph: $line"
done &
touch go
wait_for 20 said "$T/notified" complete
is "$(sed -E 's/[0-9-]{10}T[0-9:]{8}/TIME/' "$T/notified")" "Ralph: TIME [FAIL] iteration 1 exit=1 attempt=1/5 backoff=1s
Ralph: TIME [DONE] loop complete after 2 iterations reason=max_iterations" "the log tells of failures and of the end"
swarm wait watched >said
done_testing
