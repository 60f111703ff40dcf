#!/usr/bin/env bash
# --max-iterations counts tickets; further attempts at one are none.
. "$(dirname "$0")/loop-review.sh"

project "$T/work/p"
config '{"maxIterationsPerTicket":3}'
for id in a b c; do ticket "$id"; done
commit
cat >"$T/third" <<SCRIPT
#!/bin/sh
echo "start \$RALPH_TICKET" >>"$T/log"
[ "\$RALPH_ATTEMPT" = 3 ] && . "$worker"
SCRIPT
chmod +x "$T/third"
looped --max 2 -- "$T/third"
exit_is 10 "the limit is reached"
is "$(git ls-tree --name-only main | grep -c out-)" 2 "with two tickets, each at its third attempt"
not_ok "the third ticket was not begun" grep -q 'start c' "$T/log"
like "$err" 'Completed: 2 \(a, b\)' "both are counted"
done_testing
