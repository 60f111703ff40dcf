#!/usr/bin/env bash
# The documented example session: three tickets, two at a time, the second fails.
. "$(dirname "$0")/tickets.sh"

new_project
config promiseOnComplete '"always"' # as documented there
for id in pt-123 pt-456 pt-789; do ticket "$id"; done
does pt-123 'after "start pt-456"; work; close_ticket; commit'
does pt-456 'after "start pt-789"; exit 1'
does pt-789 <<'SCRIPT'
after "### pt-456: FAILED" "$T/work/project/.tf/ralph/progress.md"
work; close_ticket; commit
SCRIPT
work_on --parallel 2 --max 10
exit_is 11 "one of three failed"
is "$out" "$sigil" "the promise is alone on stdout"
mapfile -t names < <(sed -n 's/^Launching dispatch for .* session=//p' <<<"$err")
is "$(printf '%s\n' "${names[@]}" | grep -cE '^[a-z]+-[a-z]+$')" 3 "three sessions with friendly names"
told=${err//${names[0]:-none}/rapture-owl}
told=${told//${names[1]:-none}/calm-reef}
told=${told//${names[2]:-none}/bold-wave}
is "$(grep -c '^  attach: ralph attach [a-z]*-[a-z]*$' <<<"$told")" 3 "each with a hint how to see it"
is "$(grep -v '^  attach: ' <<<"$told" | sed '/^- Failed:/q')" "Starting Ralph loop with parallel=2, max=10

[Iteration 1]
Checking backlog... 3 tickets ready
Launching dispatch for pt-123... session=rapture-owl
Launching dispatch for pt-456... session=calm-reef
Active sessions: 2 (rapture-owl, calm-reef)

[triggerTurn: rapture-owl completed]
pt-123: COMPLETE (exit 0)
Merging worktree... done
Progress updated.

[Iteration 2]
Checking backlog... 2 tickets ready
Launching dispatch for pt-789... session=bold-wave
Active sessions: 2 (calm-reef, bold-wave)

[triggerTurn: calm-reef completed]
pt-456: FAILED (exit 1)
Cleaning up worktree... done
Progress updated.

[triggerTurn: bold-wave completed]
pt-789: COMPLETE (exit 0)
Merging worktree... done
Progress updated.

[Iteration 3]
Checking backlog... empty
No active sessions.

## Loop Complete
- Iterations: 3
- Completed: 2 (pt-123, pt-789)
- Failed: 1 (pt-456)" "the lines are the documented ones"

# Both streams in one file, as on a terminal.
ticket pt-999
"$RALPH" loop --new-run -- "$T/worker" '{ticket}' '{file}' >"$T/both" 2>&1
ok "(there is an alert, too)" grep -q 'ALERT' "$T/both"
is "$(tail -n 1 "$T/both")" "$sigil" "the promise is the last line of all"
is "$(grep -cxF "$sigil" "$T/both")" 1 "and said once"
done_testing
