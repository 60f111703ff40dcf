#!/usr/bin/env bash
# The tickets are those of TICKETS_DIR, or of the nearest .tickets above.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir -p proj/src/deep other
cd proj || exit 1
ticket here-1 open
(cd ../other && ticket other-1 open)
cd src/deep || exit 1
tk ls
is "$out" 'here-1   [open] - The here-1' "found from a subdirectory"
tk close here-1
is "$(sed -n 3p ../../.tickets/here-1.md)" "status: closed" "and changed there"
tk create x
ok "a new one goes there too" test -e "../../.tickets/$out.md"
run env TICKETS_DIR=../../../other/.tickets "$RALPH" tk ls
is "$out" 'other-1  [open] - The other-1' "TICKETS_DIR wins"
run env TICKETS_DIR=nowhere "$RALPH" tk ls
exit_is 1 "one that does not exist"
is "$err" "Error: tickets directory 'nowhere' does not exist" "is an error"
cd "$T" || exit 1
tk ready
exit_is 1 "no tickets anywhere"
is "$err" "Error: no .tickets directory found (searched parent directories)
Run 'ralph tk create' to initialize, or set TICKETS_DIR env var" "is an error with advice"

cd work/proj || exit 1
git init -q . && git add .tickets && git commit -qm tickets
git worktree add -q ../wt
cd ../wt/ && mkdir sub && cd sub || exit 1
tk reopen here-1
is "$(sed -n 3p ../.tickets/here-1.md) $(sed -n 3p ../../proj/.tickets/here-1.md)" \
	"status: open status: closed" "a worktree has its own when they are tracked"
cd ../../proj || exit 1
git rm -rq --cached .tickets && git commit -qm untracked && echo .tickets >.gitignore
git worktree add -q inside
cd inside || exit 1
tk reopen here-1
is "$(sed -n 3p ../.tickets/here-1.md)" "status: open" "and those of the checkout around it when not"
done_testing
