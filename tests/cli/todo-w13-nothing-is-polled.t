#!/usr/bin/env bash
# Weakness 13: looks every five seconds, two seconds for a clear and two for a file.  bench/run todo has
# the figures; here, that all of it takes less than those waits alone.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: 1' '- [ ] T002: 2' '- [ ] T003: 3' '- [ ] T004: 4' '- [ ] T005: 5' '- [ ] T006: 6'
worker <<'END'
case $KIND in task) file; tag DONE ;; esac
END
from=$EPOCHREALTIME
todo --commit off
exit_is 0 "six tasks"
ok "in less than those waits" took_less 27 "$from"
no_leftovers "nothing goes on"
done_testing
