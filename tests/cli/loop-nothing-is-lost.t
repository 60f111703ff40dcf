#!/usr/bin/env bash
# Whatever happens, every byte that a worker wrote is in git or in a worktree that was kept.
. "$(dirname "$0")/tickets.sh"

new_project
config maxIterationsPerTicket 2
for id in pt-{1..9}; do ticket "$id"; done
does pt-1 'work "bytes of pt-1"; close_ticket; commit'
does pt-2 'work "bytes of pt-2"; close_ticket'
does pt-3 'work "bytes of pt-3"; commit; exit 1'
does pt-4 <<'SCRIPT'
work "bytes of pt-4, attempt $RALPH_ATTEMPT"; exit 1
SCRIPT
does pt-5 'work "bytes of pt-5"; hang'
does pt-6 'work "bytes of pt-6"'
does pt-7 <<'SCRIPT'
echo "bytes of pt-7, attempt $RALPH_ATTEMPT" >file; close_ticket; commit
cd "$T/work/project"; echo "user $RALPH_ATTEMPT" >file; git commit -qam "user $RALPH_ATTEMPT"
SCRIPT
does pt-8 <<'SCRIPT'
git checkout -q -b elsewhere; work "bytes of pt-8"; commit; close_ticket
SCRIPT
does pt-9 <<'SCRIPT'
git checkout -q --detach; work "bytes of pt-9"; commit; close_ticket; echo "more of pt-9" >more
SCRIPT
work_on --parallel 3 --timeout 2s
diag "exit status $status"
for text in "bytes of pt-1" "bytes of pt-2" "bytes of pt-3" "bytes of pt-4, attempt 1" "bytes of pt-4, attempt 2" \
	"bytes of pt-5" "bytes of pt-6" "bytes of pt-7, attempt 1" "bytes of pt-7, attempt 2" "bytes of pt-8" \
	"bytes of pt-9" "more of pt-9"; do
	ok "$text" kept "$text"
done
is "$(git branch --show-current)" main "the user's branch is what it was"
is "$(git show main:file)" "user 2" "and has the user's own commits"
done_testing
